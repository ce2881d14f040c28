import type { EventEmitter } from 'node:events'
import { type RedisClient, redis } from '../../indicators/redis.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

interface QueuedCommand {
  readonly command?: { readonly name?: string }
}

/** The used part of a `Redis` of ioredis. */
interface Ioredis extends RedisClient, EventEmitter {
  readonly retryAttempts: number
  readonly status: string
  readonly manuallyClosing: boolean
  readonly options: { readonly host?: string; readonly port?: number; readonly db?: number; readonly path?: string }
  readonly commandQueue?: { readonly length: number; peekFront?(): QueuedCommand | undefined }
}

/** Commands that wait for something on the server; `XREAD` and `XREADGROUP` only with `BLOCK`. */
const blocking = /^(?:b[lrz]|xread|wait)/i

/** Clients of ioredis, those of BullMQ included: to a cluster, each of its nodes has one. */
export const ioredis: ClientKind<Ioredis> = {
  component: 'redis',
  isClient: (candidate) =>
    'connector' in candidate && 'status' in candidate && hasMethods(candidate, 'sendCommand', 'ping'),
  targetOf: ({ options: { host, port, db = 0, path } }) => ({
    ...(path ? { host: path } : { host, port }),
    ...(db !== 0 && { database: String(db) }),
  }),
  stateOf({ status, manuallyClosing }) {
    if (status === 'wait') return 'unused'
    return manuallyClosing ? 'ended' : status === 'end' ? 'lost' : 'open'
  },
  onClose(client, closed) {
    // Its retry strategy has given up, or the application has ended it.
    client.once('end', () => closed(client.retryAttempts > 0))
  },
  isBusy: ({ commandQueue }) => blocking.test(commandQueue?.peekFront?.()?.command?.name ?? ''),
  checkOf: (client) => redis(client),
}
