import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkClient } from './check-client.ts'
import { createInquiry } from './inquiry.ts'
import { createServerName } from './server-name.ts'

/** What is asked of a `Db` of mongodb. */
export interface MongodbDatabase {
  command(command: Record<string, unknown>): PromiseLike<unknown>
}

/** What is asked of a `MongoClient` of mongodb. */
export interface MongodbClient {
  db(name: string): MongodbDatabase
}

export interface MongodbOptions {
  readonly clock?: Clock | undefined
}

/**
 * `UP` while MongoDB answers `ping`: over a `MongoClient`, or over a `Db` where the user may do nothing outside it.
 * Details: `server` (product and version, asked once), `latency`.
 */
export function mongodb(
  client: MongodbClient | MongodbDatabase,
  { clock = systemClock }: MongodbOptions = {},
): HealthCheck {
  checkClient('mongodb', client, 'a MongoClient or a Db of mongodb', ['command', 'db'])
  const database = 'command' in client ? client : client.db('admin')
  const server = createServerName('server', async () => nameServer(await database.command({ buildInfo: 1 })))
  const ask = createInquiry(
    async () => {
      await database.command({ ping: 1 })
      const answeredAt = clock.monotonicTime()
      await server.learn(undefined)
      return { answeredAt }
    },
    { clock },
  )
  return createCheck({ ask, context: server.details, onFailure: server.doubt, clock })
}

function nameServer(buildInfo: unknown): string | undefined {
  return typeof buildInfo === 'object' && buildInfo !== null && 'version' in buildInfo
    ? `MongoDB ${buildInfo.version}`
    : undefined
}
