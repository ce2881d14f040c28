import type { EventEmitter } from 'node:events'
import { type RedisClient, redis } from '../../indicators/redis.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a client of node-redis. */
interface NodeRedis extends RedisClient, EventEmitter {
  readonly isOpen: boolean
  readonly options?: {
    readonly socket?: { readonly host?: string; readonly port?: number; readonly path?: string }
    readonly database?: number
  }
}

/** Clients of node-redis. One that is not open has not connected yet, or was closed by the application. */
export const nodeRedis: ClientKind<NodeRedis> = {
  component: 'redis',
  isClient: (candidate) =>
    'isOpen' in candidate && 'isReady' in candidate && hasMethods(candidate, 'sendCommand', 'ping'),
  targetOf({ options: { socket: { host, port, path } = {}, database = 0 } = {} }) {
    return {
      ...(path ? { host: path } : { host: host ?? 'localhost', port: port ?? 6_379 }),
      ...(database !== 0 && { database: String(database) }),
    }
  },
  stateOf: ({ isOpen }) => (isOpen ? 'open' : 'unused'),
  onClose(client, closed) {
    client.once('end', () => closed(false))
  },
  checkOf: (client) => redis(client),
}
