import type { Clock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createBorrow, type Pool } from './borrow.ts'
import { createCheck } from './check.ts'
import { createServerName } from './server-name.ts'
import { createSharedRequest } from './shared-request.ts'

/** Sends one statement and resolves with its rows. */
export type Query = (text: string) => PromiseLike<readonly unknown[]>

/** Runs several queries over one connection, and rejects when the signal aborts. */
export type Session = <T>(run: (query: Query) => Promise<T>) => (signal: AbortSignal) => Promise<T>

interface SqlCheckOptions {
  readonly session: Session
  readonly validationQuery: string
  /** Returns a row with the column `version`. */
  readonly versionQuery: string
  /** Returns product and version from the server's version string. */
  readonly nameProduct: (version: string) => string
  readonly clock: Clock
}

/** Creates the check of an SQL database. Details: `database`, `validationQuery`, `latency`. */
export function createSqlCheck(options: SqlCheckOptions): HealthCheck {
  const { session, validationQuery, versionQuery, nameProduct, clock } = options
  const database = createServerName('database', async (query: Query) => {
    const version = versionOf(await query(versionQuery))
    return version && nameProduct(version)
  })
  return createCheck({
    request: session(async (query) => {
      await query(validationQuery)
      const respondedAt = clock.monotonicTime()
      await database.load(query)
      return { respondedAt }
    }),
    context: () => ({ ...database.details(), validationQuery }),
    onFailure: database.invalidate,
    clock,
  })
}

/** Creates sessions over one connection, of which one runs at a time. */
export function connectionSession(query: Query, clock: Clock): Session {
  return (run) => createSharedRequest(() => run(query), { clock })
}

/** Creates sessions over connections of a pool. */
export function poolSession<C>(pool: Pool<C>, queryOf: (connection: C) => Query): Session {
  const borrow = createBorrow(pool)
  return (run) => (signal) => borrow(signal, (connection) => run(queryOf(connection)))
}

function versionOf([row]: readonly unknown[]): string | undefined {
  const version: unknown = typeof row === 'object' && row !== null && 'version' in row ? row.version : undefined
  return typeof version === 'string' ? version : undefined
}
