import { isWrapped } from '../official.ts'
import { overlay } from '../overlay.ts'
import { attemptSpan, tracingNow } from '../tracing-now.ts'
import { callsBack, type PostgresQuery, runQuery, statementOf } from './postgres-query.ts'
import { type PostgresServer, serverOf } from './postgres-server.ts'
import { startSqlSpan } from './spans/sql-span.ts'

/** A Pool or a Client of pg. */
export interface TraceablePostgres {
  query(...args: never[]): unknown
  connect(...args: never[]): unknown
}

type Call = (...args: readonly unknown[]) => unknown

/**
 * A Pool or a Client of pg whose queries are spans, in each of their forms: with a promise, a callback, a `Query` or a
 * cursor. What `connect` of a pool gives is traced, too. It is of the same type, and everything else of it is as it was. A
 * callback runs in the context of its caller. While OpenTelemetry's own instrumentation of pg is at work, it does nothing.
 */
export function tracedPool<P extends TraceablePostgres>(pool: P): P {
  const query = pool.query.bind(pool) as Call
  const connect = pool.connect.bind(pool) as Call
  let server: PostgresServer | undefined
  const isTracedElsewhere = () => isWrapped(pool.query) || isWrapped(pool.connect)

  return overlay(pool, {
    query(...args: readonly unknown[]) {
      const tracing = isTracedElsewhere() ? undefined : tracingNow()
      if (tracing === undefined) return query(...args)
      // Below a span that nobody records a promise needs nothing, and a callback only its context.
      const isUnrecorded = tracing.activeSpan()?.isRecording === false
      if (isUnrecorded && !callsBack(args)) return query(...args)
      const statement = statementOf(args[0])
      if (statement === undefined) return query(...args)
      const span = attemptSpan(() => {
        if (isUnrecorded) return tracing.startSpan('query')
        server ??= serverOf(pool)
        return startSqlSpan(tracing, 'postgresql', statement, { system: 'postgresql', ...server })
      })
      return span === undefined ? query(...args) : runQuery(query, args as PostgresQuery, tracing, span)
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

/** What a pool gives; a client gives nothing, or itself. */
function traced(client: unknown, pool: object): unknown {
  return isTraceable(client) && client !== pool ? tracedPool(client) : client
}

function isTraceable(value: unknown): value is TraceablePostgres {
  return typeof value === 'object' && value !== null && 'query' in value && 'connect' in value
}
