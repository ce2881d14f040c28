import { type Clock, systemClock } from '../../base/clock.ts'
import { failure } from '../../base/errors.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck, requireClient } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { createServerName } from './server-name.ts'
import { createSharedRequest } from './shared-request.ts'

/** The used part of a `Redis` or `Cluster` of ioredis, and of a client, pool or cluster of node-redis. */
export interface RedisClient {
  ping(): PromiseLike<unknown>
  info(section: 'server'): PromiseLike<unknown>
  /** ioredis: the state of the connection. */
  readonly status?: string | undefined
  /** node-redis: whether the connection accepts commands. */
  readonly isReady?: boolean | undefined
}

/** Options of `redis`. */
export interface RedisOptions {
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while Redis, or a compatible server, responds to `PING`. Details: `server` (product and version, requested
 * once), `latency`. A client without a connection is `DOWN` immediately, because it would only queue the command.
 */
export function redis(client: RedisClient, options: RedisOptions = {}): HealthCheck {
  checkIndicatorOptions('redis', options, ['clock'])
  const { clock = systemClock } = options
  requireClient('redis', client, 'a client of ioredis or node-redis', ['ping'])
  const server = createServerName('server', async () => nameServer(await client.info('server')))
  const ping = createSharedRequest(
    async () => {
      await client.ping()
      const respondedAt = clock.monotonicTime()
      await server.load(undefined)
      return { respondedAt }
    },
    { clock },
  )
  return createCheck({
    request: async (signal) => {
      requireConnection(client)
      return await ping(signal)
    },
    context: server.details,
    onFailure: server.invalidate,
    clock,
  })
}

const disconnected: readonly unknown[] = ['close', 'reconnecting', 'disconnecting', 'end']

function requireConnection({ status, isReady }: RedisClient): void {
  if (disconnected.includes(status)) throw failure('UPKEEP_ECHECK', `not connected (${status})`)
  if (isReady === false) throw failure('UPKEEP_ECHECK', 'not connected')
}

/**
 * Parses `INFO`, lines of `field:value`. Compatible servers also contain the version of Redis with which they are
 * compatible.
 */
function nameServer(info: unknown): string | undefined {
  const text = String(info)
  const version = (field: string): string | undefined => new RegExp(`^${field}:(\\S+)`, 'm').exec(text)?.[1]
  const [valkey, dragonfly, redis] = [version('valkey_version'), version('dragonfly_version'), version('redis_version')]
  if (valkey !== undefined) return `Valkey ${valkey}`
  return dragonfly !== undefined ? `Dragonfly ${dragonfly}` : redis && `Redis ${redis}`
}
