import type { Tracing } from '../../tracing/tracing.ts'
import { isWrapped } from '../official.ts'
import { overlay } from '../overlay.ts'
import { attemptSpan, tracingNow } from '../tracing-now.ts'
import { beginDatabaseCall, hasDatabaseRecorders } from '../wrapped-operations.ts'
import { callsBack, type PostgresQuery, runQuery, statementOf } from './postgres-query.ts'
import { type PostgresServer, serverOf } from './postgres-server.ts'
import { startSqlSpan } from './spans/sql-span.ts'
import { createSqlTargetReader } from './sql/sql-target.ts'

/** A pg Pool or Client. */
export interface TraceablePostgres {
  query(...args: never[]): unknown
  connect(...args: never[]): unknown
}

type Call = (...args: readonly unknown[]) => unknown

const readTarget = /* @__PURE__ */ createSqlTargetReader('postgresql')

/**
 * Wraps a pg Pool or Client so that each query is a span, and is timed by every management of the process: with
 * promises, callbacks, `Query` objects and cursors. Clients from `connect` of a pool are wrapped, too. The result has
 * the same type, and all other members are unchanged. Callbacks run in the context of their caller. Creates no spans
 * while OpenTelemetry's instrumentation of pg is active.
 */
export function tracedPool<P extends TraceablePostgres>(pool: P): P {
  const query = pool.query.bind(pool) as Call
  const connect = pool.connect.bind(pool) as Call
  let server: PostgresServer | undefined
  const isTracedElsewhere = () => isWrapped(pool.query) || isWrapped(pool.connect)
  const callOf = () => {
    server ??= serverOf(pool)
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

  return overlay(pool, {
    query(...args: readonly unknown[]) {
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
    },
    connect(...args: readonly unknown[]) {
      const [callback] = args
      const around = tracingNow()?.storage
      if (typeof callback === 'function') {
        const store = around?.getStore()
        return connect((error: unknown, client: unknown, release: unknown) => {
          const call = () => callback(error, traced(client, pool), release)
          return around === undefined ? call() : around.run(store, call)
        })
      }
      const connected = connect(...args)
      return connected instanceof Promise ? connected.then((client: unknown) => traced(client, pool)) : connected
    },
  })
}

/** Wraps the client returned by a pool; a client itself returns nothing, or itself. */
function traced(client: unknown, pool: object): unknown {
  return isTraceable(client) && client !== pool ? tracedPool(client) : client
}

function isTraceable(value: unknown): value is TraceablePostgres {
  return typeof value === 'object' && value !== null && 'query' in value && 'connect' in value
}
