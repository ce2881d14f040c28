import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkClient } from './check-client.ts'
import { createInquiry } from './inquiry.ts'
import { createServerName } from './server-name.ts'

/** What is asked of a `Redis` or `Cluster` of ioredis, and of a client, pool or cluster of node-redis. */
export interface RedisClient {
  ping(): PromiseLike<unknown>
  info(section: 'server'): PromiseLike<unknown>
  /** ioredis: what the connection is doing. */
  readonly status?: string | undefined
  /** node-redis: whether the connection takes commands. */
  readonly isReady?: boolean | undefined
}

export interface RedisOptions {
  readonly clock?: Clock | undefined
}

/**
 * `UP` while Redis, or whatever speaks its language, answers `PING`. Details: `server` (product and version, asked once),
 * `latency`. A client that has lost its connection is `DOWN` at once; it would only keep the command for later.
 */
export function redis(client: RedisClient, { clock = systemClock }: RedisOptions = {}): HealthCheck {
  checkClient('redis', client, 'a client of ioredis or node-redis', ['ping'])
  const server = createServerName('server', async () => nameServer(await client.info('server')))
  const ping = createInquiry(
    async () => {
      await client.ping()
      const answeredAt = clock.monotonicTime()
      await server.learn(undefined)
      return { answeredAt }
    },
    { clock },
  )
  return createCheck({
    ask: async (signal) => {
      refuseDisconnected(client)
      return await ping(signal)
    },
    context: server.details,
    onFailure: server.doubt,
    clock,
  })
}

const disconnected: readonly unknown[] = ['close', 'reconnecting', 'disconnecting', 'end']

function refuseDisconnected({ status, isReady }: RedisClient): void {
  if (disconnected.includes(status)) {
    throw new Error(`the client has no connection (${status})`)
  }
  if (isReady === false) {
    throw new Error('the client has no connection')
  }
}

/** `INFO` is lines of `field:value`; what is compatible with Redis says which Redis it is compatible with, too. */
function nameServer(info: unknown): string | undefined {
  const text = String(info)
  const version = (field: string): string | undefined => new RegExp(`^${field}:(\\S+)`, 'm').exec(text)?.[1]
  const [valkey, dragonfly, redis] = [version('valkey_version'), version('dragonfly_version'), version('redis_version')]
  if (valkey !== undefined) {
    return `Valkey ${valkey}`
  }
  return dragonfly !== undefined ? `Dragonfly ${dragonfly}` : redis && `Redis ${redis}`
}
