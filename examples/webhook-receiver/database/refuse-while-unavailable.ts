import { HttpError } from 'upkeep'
import type { Query } from './database.ts'

/**
 * Wraps a query: until `isPrepared` it is refused at once, and afterwards its failures reach the client as a 503 that
 * says when to try again and nothing of what failed.
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

/** The response to what cannot be done now. */
export function unavailable(cause?: unknown): HttpError {
  return new HttpError(503, 'The database is not available at the moment. Try again later.', {
    headers: { 'Retry-After': '5' },
    cause,
  })
}
