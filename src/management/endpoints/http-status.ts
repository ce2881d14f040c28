import { type Status, statusKey } from '../../health/status.ts'

/** HTTP statuses by health status. @default 200 for statuses that are not listed */
export type HttpMapping = Readonly<Record<string, number>>

const defaultHttpMapping: HttpMapping = { DOWN: 503, OUT_OF_SERVICE: 503 }

/** Returns the HTTP status of a health status, in any spelling of it. */
export function createHttpStatus(mapping: HttpMapping = defaultHttpMapping): (status: Status) => number {
  const byKey = new Map(Object.entries(mapping).map(([status, code]) => [statusKey(status), code]))
  return (status) => byKey.get(statusKey(status)) ?? 200
}
