import type { EventEmitter } from 'node:events'
import { type MysqlCallbackClient, mysql } from '../../indicators/mysql.ts'
import { type ClientKind, type ConnectionTarget, hasMethods } from '../client-kind.ts'

interface ConnectionConfig {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly database?: string | undefined
  readonly socketPath?: string | undefined
}

/** The used part of a `Pool` of mysql2 with callbacks, which is inside of one with promises, too. */
interface Pool extends MysqlCallbackClient, EventEmitter {
  readonly config: { readonly connectionLimit: number; readonly connectionConfig: ConnectionConfig }
  readonly _allConnections: { readonly length: number }
  readonly _freeConnections: { readonly length: number }
  readonly _connectionQueue: { readonly length: number }
  readonly _closed: boolean
}

/** The used part of a `Connection` of mysql2 with callbacks. */
interface Connection extends MysqlCallbackClient, EventEmitter {
  readonly config: ConnectionConfig
  readonly _pool?: object
  readonly _closing?: boolean
  readonly _fatalError?: unknown
  readonly _protocolError?: unknown
}

/** Pools of mysql2: those of Drizzle, Kysely and TypeORM, too. */
export const mysql2Pool: ClientKind<Pool> = {
  component: 'db',
  isClient: (candidate) => '_allConnections' in candidate && hasMethods(candidate, 'getConnection', 'promise'),
  targetOf: ({ config: { connectionConfig } }) => targetOf(connectionConfig),
  stateOf: ({ _closed, _allConnections }) => (_closed ? 'ended' : _allConnections.length > 0 ? 'open' : 'unused'),
  pool: {
    figuresOf: ({ config, _allConnections, _freeConnections, _connectionQueue }) => ({
      ...{ total: _allConnections.length, idle: _freeConnections.length, waiting: _connectionQueue.length },
      maximum: config.connectionLimit,
    }),
    onReturn(pool, listener) {
      pool.on('release', listener)
      return () => void pool.off('release', listener)
    },
  },
  checkOf: (pool) => mysql(pool),
}

/** Connections of mysql2 without a pool; those of Knex belong to its own. */
export const mysql2Connection: ClientKind<Connection> = {
  component: 'db',
  isClient: (candidate) => 'threadId' in candidate && 'config' in candidate && hasMethods(candidate, 'promise', 'ping'),
  isPartOf(connection, other) {
    if (other !== undefined) return connection._pool === other
    return connection._pool !== undefined || '__knexUid' in connection
  },
  targetOf: ({ config }) => targetOf(config),
  stateOf: ({ _closing, _fatalError, _protocolError }) =>
    _closing ? 'ended' : _fatalError || _protocolError ? 'lost' : 'open',
  onClose(connection, closed) {
    connection.once('end', () => closed(connection._closing !== true))
  },
  checkOf: (connection) => mysql(connection),
}

function targetOf({ host, port, database, socketPath }: ConnectionConfig): ConnectionTarget {
  return socketPath ? { host: socketPath, database } : { host, port, database }
}
