import { HttpError } from 'upkeep'
import type { Query } from './database.ts'

/**
 * Wraps a query: it is refused until `isPrepared`. Later failures are sent to the client as 503 with `Retry-After`,
 * without the cause.
 */
export function refuseWhileUnavailable(query: Query, isPrepared: () => boolean): Query {
  return async <Row>(sql: string, parameters?: readonly unknown[]) => {
    if (!isPrepared()) throw unavailable()
    try {
      return await query<Row>(sql, parameters)
    } catch (cause) {
      throw unavailable(cause)
    }
  }
}

/** Returns the error for a request that needs the database while it is unavailable. */
export function unavailable(cause?: unknown): HttpError {
  return new HttpError(503, 'The database is not available at the moment. Try again later.', {
    headers: { 'Retry-After': '5' },
    cause,
  })
}
