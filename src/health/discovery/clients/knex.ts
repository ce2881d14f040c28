import { sql } from '../../indicators/sql.ts'
import { type ClientKind, type ConnectionTarget, hasMethods, targetOfUrl } from '../client-kind.ts'

/** The used part of the client of a Knex, which has a pool of tarn. */
interface KnexClient {
  readonly config: { readonly connection?: unknown }
  readonly pool?: {
    readonly max: number
    readonly destroyed?: boolean
    numUsed(): number
    numFree(): number
    numPendingAcquires(): number
    on(event: 'release', listener: () => void): void
    removeListener(event: 'release', listener: () => void): void
  }
  readonly driverName?: string
  acquireConnection(): PromiseLike<object>
  releaseConnection(connection: object): PromiseLike<unknown>
  query(connection: object, query: { readonly sql: string }): PromiseLike<unknown>
}

/** Pools of Knex, over any of its drivers. */
export const knex: ClientKind<KnexClient> = {
  component: 'db',
  isClient: (candidate) => hasMethods(candidate, 'acquireConnection', 'releaseConnection', 'queryCompiler'),
  targetOf: ({ config: { connection } }) => targetOfConfig(connection),
  stateOf({ pool }) {
    if (pool === undefined || pool.destroyed) return 'ended'
    return pool.numUsed() + pool.numFree() + pool.numPendingAcquires() > 0 ? 'open' : 'unused'
  },
  pool: {
    figuresOf({ pool }) {
      const [idle = 0, used = 0] = [pool?.numFree(), pool?.numUsed()]
      return { total: idle + used, idle, waiting: pool?.numPendingAcquires() ?? 0, maximum: pool?.max ?? 0 }
    },
    onReturn({ pool }, listener) {
      pool?.on('release', listener)
      return () => pool?.removeListener('release', listener)
    },
  },
  checkOf: (client) =>
    sql({
      async query() {
        const connection = await client.acquireConnection()
        try {
          return await client.query(connection, { sql: 'SELECT 1' })
        } finally {
          await client.releaseConnection(connection)
        }
      },
    }),
}

function targetOfConfig(connection: unknown): ConnectionTarget {
  if (typeof connection !== 'object' || connection === null) return targetOfUrl(connection, 5_432)
  const { host, server, port, database, filename, connectionString } = connection as Readonly<Record<string, unknown>>
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return {
    ...targetOfUrl(connectionString, 5_432),
    ...(text(host ?? server) && { host: text(host ?? server) }),
    ...(port !== undefined && { port: Number(port) }),
    ...(text(database ?? filename) && { database: text(database ?? filename) }),
  }
}
