import { type EventEmitter, errorMonitor } from 'node:events'
import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { beginDatabaseCall, type EndOperation, hasDatabaseRecorders } from '../client-operations.ts'
import { failSpan } from '../fail-span.ts'
import { attempt } from '../safely.ts'
import { captureContext, tracingNow } from '../tracing-now.ts'
import { startSqlSpan } from './sql/sql-span.ts'
import { createSqlTargetReader } from './sql/sql-target.ts'

type Call = (...args: readonly unknown[]) => unknown

/** Runs a query of pg, with its arguments, in a span, and times it. */
export type ObserveQuery = (query: Call, args: readonly unknown[]) => unknown

const readTarget = /* @__PURE__ */ createSqlTargetReader('postgresql')

/** Returns a function that observes the queries of a pg Pool or Client. */
export function createQueryObserver(client: object, isTracedElsewhere: () => boolean): ObserveQuery {
  let server: PostgresServer | undefined
  const callOf = () => {
    server ??= serverOf(client)
    return { system: 'postgresql', ...server }
  }
  const startQuerySpan = (tracing: Tracing, args: readonly unknown[], statement: string) => {
    // Below a non-recording span, promises need nothing, and callbacks only their context.
    const isUnrecorded = tracing.activeSpan()?.isRecording === false
    if (isUnrecorded && !callsBack(args)) return undefined
    return attempt(() =>
      isUnrecorded ? tracing.startSpan('query') : startSqlSpan(tracing, 'postgresql', statement, callOf()),
    )
  }
  return (query, args) => {
    const tracing = isTracedElsewhere() ? undefined : tracingNow()
    if (tracing === undefined && !hasDatabaseRecorders()) return query(...args)
    const statement = statementOf(args[0])
    if (statement === undefined) return query(...args)
    const observed = {
      span: tracing && startQuerySpan(tracing, args, statement),
      end: beginDatabaseCall(() => ({ ...callOf(), ...readTarget(statement) })),
    }
    const isObserved = observed.span !== undefined || observed.end !== undefined
    return isObserved ? runQuery(query, args as PostgresQuery, tracing, observed) : query(...args)
  }
}

/** Returns a callback of `connect` that runs in the context of its caller, instead of that of the releasing query. */
export function keepCaller(callback: Call): Call {
  const storage = tracingNow()?.storage
  if (storage === undefined) return callback
  const store = storage.getStore()
  return (...args) => storage.run(store, callback, ...args)
}

/** The server of a pg Pool or Client. */
interface PostgresServer {
  readonly address: string | undefined
  readonly port: number | undefined
  readonly namespace: string | undefined
}

/** Reads the members of a Client or the options of a Pool; falls back to the environment, like pg. */
function serverOf(client: object): PostgresServer {
  const { options = client } = client as { readonly options?: object }
  const given = options as Partial<Record<'host' | 'port' | 'database' | 'connectionString', unknown>>
  const url = typeof given.connectionString === 'string' ? parseUrl(given.connectionString) : undefined
  const { PGHOST, PGPORT, PGDATABASE } = process.env
  return {
    address: text(url?.hostname) ?? text(given.host) ?? PGHOST ?? 'localhost',
    port: Number(url?.port || given.port || PGPORT || 5_432),
    namespace: text(url?.pathname.slice(1)) ?? text(given.database) ?? PGDATABASE,
  }
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Arguments of `query`: a string, options or a submittable; then values, and an optional callback. */
type PostgresQuery = readonly [unknown, ...unknown[]]

/** A `Query`, cursor or stream of pg. */
interface Submittable {
  readonly submit: unknown
  callback?: unknown
}

/** Returns the text of a statement; `undefined` if missing, which pg rejects. */
function statementOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query
  if (typeof query !== 'object' || query === null) return undefined
  const { text, cursor } = query as { readonly text?: unknown; readonly cursor?: unknown }
  if (typeof text === 'string') return text
  return statementOf(cursor)
}

/** Whether the result is passed to a callback, in any of the supported forms. */
function callsBack(args: readonly unknown[]): boolean {
  const [query] = args
  return args.some(isCall) || (typeof query === 'object' && query !== null && 'callback' in query)
}

/** What ends with a query. */
interface ObservedQuery {
  readonly span: Span | undefined
  readonly end: EndOperation | undefined
}

/** Runs a query with an active span, if there is one, and ends both with the query. */
function runQuery(
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

/** Returns the SQLSTATE of a PostgreSQL error. */
function sqlState(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
