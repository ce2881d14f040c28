import type { EventEmitter } from 'node:events'
import { type PostgresConnection, type PostgresPool, postgres } from '../../indicators/postgres.ts'
import { type ClientKind, type ClientState, type ConnectionTarget, hasMethods, targetOfUrl } from '../client-kind.ts'

/** The used part of a `Pool` of pg. */
interface Pool extends PostgresPool, EventEmitter {
  readonly idleCount: number
  readonly waitingCount: number
  readonly ending: boolean
  readonly options: ConnectionOptions & { readonly max: number; readonly connectionString?: unknown }
  readonly _clients: readonly object[]
}

/** The used part of a `Client` of pg. */
interface Client extends PostgresConnection, EventEmitter {
  readonly connectionParameters: ConnectionOptions
  readonly _connecting: boolean
  readonly _connected: boolean
  readonly _ending: boolean
  readonly _ended: boolean
  readonly _queryable: boolean
}

interface ConnectionOptions {
  readonly host?: string | undefined
  readonly port?: number | string | undefined
  readonly database?: string | undefined
}

/** Pools of pg: those of Drizzle, Kysely, TypeORM and Prisma's driver adapter, too. */
export const pgPool: ClientKind<Pool> = {
  component: 'db',
  isClient: (candidate) => 'totalCount' in candidate && 'waitingCount' in candidate && hasMethods(candidate, 'connect'),
  targetOf({ options }) {
    const given = { ...targetOfUrl(options.connectionString, 5_432), ...defined(options) }
    const { PGHOST, PGPORT, PGDATABASE } = process.env
    const { host = PGHOST ?? 'localhost', port = Number(PGPORT ?? 5_432), database = PGDATABASE } = given
    return { host, port, database }
  },
  stateOf: ({ ending, totalCount }) => (ending ? 'ended' : totalCount > 0 ? 'open' : 'unused'),
  pool: {
    figuresOf: ({ totalCount, idleCount, waitingCount, options: { max } }) => ({
      ...{ total: totalCount, idle: idleCount, waiting: waitingCount, maximum: max },
    }),
    onReturn(pool, listener) {
      pool.on('release', listener)
      return () => void pool.off('release', listener)
    },
  },
  checkOf: (pool) => postgres(pool),
}

/** Clients of pg without a pool; those of Knex belong to its own. */
export const pgClient: ClientKind<Client> = {
  component: 'db',
  isClient: (candidate) => 'connectionParameters' in candidate && hasMethods(candidate, 'query', 'connect', 'end'),
  // Pools and Knex mark their connections when these are connected.
  isPartOf: (client, other) =>
    other === undefined
      ? '_poolUseCount' in client || '__knexUid' in client
      : (other as Partial<Pool>)._clients?.includes(client) === true,
  targetOf: ({ connectionParameters }) => defined(connectionParameters),
  stateOf: ({ _connecting, _connected, _ending, _ended, _queryable }): ClientState => {
    if (_ending) return 'ended'
    if (_ended || !_queryable) return 'lost'
    return _connecting || _connected ? 'open' : 'unused'
  },
  onClose(client, closed) {
    client.once('end', () => closed(!client._ending))
  },
  checkOf: (client) => postgres(client),
}

function defined({ host, port, database }: ConnectionOptions): ConnectionTarget {
  return {
    ...(host && { host }),
    ...(port !== undefined && { port: Number(port) }),
    ...(database && { database }),
  }
}
