import type { Tracing } from '../../tracing/tracing.ts'
import { attemptSpan, tracingNow } from '../tracing-now.ts'
import { beginDatabaseCall, hasDatabaseRecorders } from '../wrapped-operations.ts'
import { callsBack, type PostgresQuery, runQuery, statementOf } from './postgres-query.ts'
import { type PostgresServer, serverOf } from './postgres-server.ts'
import { startSqlSpan } from './spans/sql-span.ts'
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
    return attemptSpan(() =>
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
