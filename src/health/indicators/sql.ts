import type { Clock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { createServerName } from './server-name.ts'

/** Sends one statement and answers its rows. */
export type Query = (text: string) => PromiseLike<readonly unknown[]>

/** Carries a conversation over a user's client, and leaves off when the signal aborts. */
export type Session = <T>(talk: (query: Query) => Promise<T>) => (signal: AbortSignal) => Promise<T>

export interface SqlCheck {
  readonly session: Session
  readonly validationQuery: string
  /** Answers a row with the column `version`. */
  readonly versionQuery: string
  /** The product and its version, out of what the server says it is. */
  readonly nameProduct: (version: string) => string
  readonly clock: Clock
}

/** The check that every SQL database shares. Details: `database`, `validationQuery`, `latency`. */
export function createSqlCheck({ session, validationQuery, versionQuery, nameProduct, clock }: SqlCheck): HealthCheck {
  const database = createServerName('database', async (query: Query) => {
    const version = versionOf(await query(versionQuery))
    return version && nameProduct(version)
  })
  return createCheck({
    ask: session(async (query) => {
      await query(validationQuery)
      const answeredAt = clock.monotonicTime()
      await database.learn(query)
      return { answeredAt }
    }),
    context: () => ({ ...database.details(), validationQuery }),
    onFailure: database.doubt,
    clock,
  })
}

function versionOf([row]: readonly unknown[]): string | undefined {
  const version: unknown = typeof row === 'object' && row !== null && 'version' in row ? row.version : undefined
  return typeof version === 'string' ? version : undefined
}
