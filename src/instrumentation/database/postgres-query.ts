import type { EventEmitter } from 'node:events'
import { errorMonitor } from 'node:events'
import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { captureContext } from '../tracing-now.ts'
import type { EndOperation } from '../wrapped-operations.ts'
import { failSpan } from './spans/fail-span.ts'
import { sqlState } from './spans/status-code.ts'

/** Arguments of `query`: a string, options or a submittable; then values, and an optional callback. */
export type PostgresQuery = readonly [unknown, ...unknown[]]

type Call = (...args: readonly unknown[]) => unknown

/** A `Query`, cursor or stream of pg. */
interface Submittable {
  readonly submit: unknown
  callback?: unknown
}

/** Returns the text of a statement; `undefined` if missing, which pg rejects. */
export function statementOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query
  if (typeof query !== 'object' || query === null) return undefined
  const { text, cursor } = query as { readonly text?: unknown; readonly cursor?: unknown }
  if (typeof text === 'string') return text
  return statementOf(cursor)
}

/** Whether the result is passed to a callback, in any of the supported forms. */
export function callsBack(args: readonly unknown[]): boolean {
  const [query] = args
  return args.some(isCall) || (typeof query === 'object' && query !== null && 'callback' in query)
}

/** What ends with a query. */
interface ObservedQuery {
  readonly span: Span | undefined
  readonly end: EndOperation | undefined
}

/** Runs a query with an active span, if there is one, and ends both with the query. */
export function runQuery(
  query: Call,
  [first, ...rest]: PostgresQuery,
  tracing: Tracing | undefined,
  { span, end }: ObservedQuery,
): unknown {
  const done = (error: unknown) => {
    const status = error == null ? undefined : sqlState(error)
    if (span !== undefined && error != null) failSpan(span, error, status)
    span?.end()
    end?.(error, status)
  }
  /** Runs a callback in the context of the caller instead of the connection's. */
  const calledBack = (callback: Call): Call => {
    const inContext = tracing === undefined ? callNow : captureContext()
    return (error, ...answer) => {
      done(error)
      return inContext(callback, error, ...answer)
    }
  }
  const args = [withCallback(first, calledBack), ...rest.map((one) => (isCall(one) ? calledBack(one) : one))]
  try {
    const result =
      tracing === undefined || span === undefined ? query(...args) : tracing.run(span, () => query(...args))
    if (result instanceof Promise) return watchPromise(result, done)
    if (isSubmittable(first) && isEmitter(first)) watchEvents(first, done)
    return result
  } catch (error) {
    done(error)
    throw error
  }
}

function callNow<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): R {
  return fn(...args)
}

function withCallback(query: unknown, calledBack: (callback: Call) => Call): unknown {
  if (typeof query !== 'object' || query === null || !('callback' in query) || !isCall(query.callback)) return query
  if (!isSubmittable(query)) return { ...query, callback: calledBack(query.callback) }
  // A `Query` runs once and has its own callbacks.
  query.callback = calledBack(query.callback)
  return query
}

function watchPromise(promise: Promise<unknown>, done: (error: unknown) => void): Promise<unknown> {
  return promise.then(
    (answer) => {
      done(undefined)
      return answer
    },
    (error: unknown) => {
      done(error ?? new Error('rejected'))
      throw error
    },
  )
}

function watchEvents(query: EventEmitter, done: (error: unknown) => void): void {
  // Does not listen for `error`, since a listener would suppress the unhandled-error check of the application's
  // emitter.
  query.once(errorMonitor, done)
  for (const event of ['end', 'close']) query.once(event, () => done(undefined))
}

function isSubmittable(value: unknown): value is Submittable {
  return typeof value === 'object' && value !== null && 'submit' in value && typeof value.submit === 'function'
}

function isEmitter(value: unknown): value is EventEmitter {
  return typeof value === 'object' && value !== null && 'once' in value && typeof value.once === 'function'
}

function isCall(value: unknown): value is Call {
  return typeof value === 'function'
}
