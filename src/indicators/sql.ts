import type { Clock } from '../clock.ts'
import { describeError } from '../health/error-text.ts'
import type { HealthCheck } from '../health/indicator.ts'
import { formatLatency } from './latency.ts'

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

/**
 * The check that every SQL database shares. What the database is, is asked after the first answer, and again after a
 * failure: it may have come back as another version.
 */
export function createSqlCheck({ session, validationQuery, versionQuery, nameProduct, clock }: SqlCheck): HealthCheck {
  let database: string | undefined
  let asked = false

  const nameDatabase = async (query: Query): Promise<void> => {
    try {
      const [row] = await query(versionQuery)
      const version = versionOf(row)
      database = version === undefined ? undefined : nameProduct(version)
      asked = true
    } catch {
      // A database that answers its validation query is up, whether or not it says what it is.
    }
  }

  const validate = session(async (query) => {
    await query(validationQuery)
    const answeredAt = clock.monotonicTime()
    if (!asked) {
      await nameDatabase(query)
    }
    return answeredAt
  })

  return async (signal) => {
    const askedAt = clock.monotonicTime()
    try {
      const latency = formatLatency((await validate(signal)) - askedAt)
      return { status: 'UP', details: { ...(database && { database }), validationQuery, latency } }
    } catch (error) {
      asked = false
      signal.throwIfAborted()
      return {
        status: 'DOWN',
        details: { ...(database && { database }), validationQuery, error: describeError(error) },
      }
    }
  }
}

function versionOf(row: unknown): string | undefined {
  const version: unknown = typeof row === 'object' && row !== null && 'version' in row ? row.version : undefined
  return typeof version === 'string' ? version : undefined
}
