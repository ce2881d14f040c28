import { HttpError } from 'upkeep'
import type { Query } from './database.ts'

/** The same query, whose failures reach the client as a 503 that says when to try again and nothing of what failed. */
export function refuseWhileUnavailable(query: Query): Query {
  return async <Row>(sql: string, parameters?: readonly unknown[]) => {
    try {
      return await query<Row>(sql, parameters)
    } catch (cause) {
      throw new HttpError(503, 'Nothing can be stored or looked up at the moment. Try again.', {
        headers: { 'Retry-After': '5' },
        cause,
      })
    }
  }
}
