import { type Status, statusKey } from '../../health/status.ts'

/** The HTTP status of each health status; one that is not named answers 200. */
export type HttpMapping = Readonly<Record<string, number>>

export const defaultHttpMapping: HttpMapping = { DOWN: 503, OUT_OF_SERVICE: 503 }

/** Makes the function that tells the HTTP status of a health status, however it is spelled. */
export function createHttpStatus(mapping: HttpMapping = defaultHttpMapping): (status: Status) => number {
  const byKey = new Map(Object.entries(mapping).map(([status, code]) => [statusKey(status), code]))
  return (status) => byKey.get(statusKey(status)) ?? 200
}
