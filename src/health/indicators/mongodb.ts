import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck, requireClient } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { createServerName } from './server-name.ts'
import { createSharedRequest } from './shared-request.ts'

/** The used part of a `Db` of mongodb. */
export interface MongodbDatabase {
  command(command: Record<string, unknown>): PromiseLike<unknown>
}

/** The used part of a `MongoClient` of mongodb. */
export interface MongodbClient {
  db(name: string): MongodbDatabase
}

/** Options of `mongodb`. */
export interface MongodbOptions {
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while MongoDB responds to `ping`: over a `MongoClient`, or over a `Db` if the user has no access outside of it.
 * Details: `server` (product and version, requested once), `latency`.
 */
export function mongodb(client: MongodbClient | MongodbDatabase, options: MongodbOptions = {}): HealthCheck {
  checkIndicatorOptions('mongodb', options, ['clock'])
  const { clock = systemClock } = options
  requireClient('mongodb', client, 'a MongoClient or a Db of mongodb', ['command', 'db'])
  const database = 'command' in client ? client : client.db('admin')
  const server = createServerName('server', async () => nameServer(await database.command({ buildInfo: 1 })))
  const request = createSharedRequest(
    async () => {
      await database.command({ ping: 1 })
      const respondedAt = clock.monotonicTime()
      await server.load(undefined)
      return { respondedAt }
    },
    { clock },
  )
  return createCheck({ request, context: server.details, onFailure: server.invalidate, clock })
}

function nameServer(buildInfo: unknown): string | undefined {
  return typeof buildInfo === 'object' && buildInfo !== null && 'version' in buildInfo
    ? `MongoDB ${buildInfo.version}`
    : undefined
}
