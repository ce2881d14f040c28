import type { EventEmitter } from 'node:events'
import { errorMonitor } from 'node:events'
import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { captureContext } from '../tracing-now.ts'
import { failSpan } from './spans/fail-span.ts'
import { sqlState } from './spans/status-code.ts'

/** What `query` is called with: text, options or something to be submitted; then values, and a callback at the end. */
export type PostgresQuery = readonly [unknown, ...unknown[]]

type Call = (...args: readonly unknown[]) => unknown

/** A `Query`, a cursor or a stream of pg. */
interface Submittable {
  readonly submit: unknown
  callback?: unknown
}

/** The text of what is to be asked; `undefined` where there is none, which is pg's to refuse. */
export function statementOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query
  if (typeof query !== 'object' || query === null) return undefined
  const { text, cursor } = query as { readonly text?: unknown; readonly cursor?: unknown }
  if (typeof text === 'string') return text
  return statementOf(cursor)
}

/** Whether the answer comes to a function, in whatever form that was given. */
export function callsBack(args: readonly unknown[]): boolean {
  const [query] = args
  return args.some(isCall) || (typeof query === 'object' && query !== null && 'callback' in query)
}

/** Asks, with a span active, which ends when the answer is there. */
export function runQuery(query: Call, [first, ...rest]: PostgresQuery, tracing: Tracing, span: Span): unknown {
  const done = (error: unknown) => {
    if (error != null) failSpan(span, error, sqlState(error))
    span.end()
  }
  /** Calls back in the context of the caller, and not in that of the connection. */
  const calledBack = (callback: Call): Call => {
    const inContext = captureContext()
    return (error, ...answer) => {
      done(error)
      return inContext(callback, error, ...answer)
    }
  }
  const args = [withCallback(first, calledBack), ...rest.map((one) => (isCall(one) ? calledBack(one) : one))]
  try {
    const result = tracing.run(span, () => query(...args))
    if (result instanceof Promise) return watchPromise(result, done)
    if (isSubmittable(first) && isEmitter(first)) watchEvents(first, done)
    return result
  } catch (error) {
    done(error)
    throw error
  }
}

function withCallback(query: unknown, calledBack: (callback: Call) => Call): unknown {
  if (typeof query !== 'object' || query === null || !('callback' in query) || !isCall(query.callback)) return query
  if (!isSubmittable(query)) return { ...query, callback: calledBack(query.callback) }
  // A `Query` is asked once, and what it calls back it says itself.
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
  // No listener for `error`, which would take that of the application's for one that is heard.
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
