/**
 * The status of a component. `UP` and `UNKNOWN` map to 200, `DOWN` and `OUT_OF_SERVICE` to 503; an application may
 * define its own. Only letters and digits are compared, case-insensitively: `out-of-service` is `OUT_OF_SERVICE`.
 */
export type Status = 'UP' | 'DOWN' | 'OUT_OF_SERVICE' | 'UNKNOWN' | (string & {})

/** Statuses by severity, the most severe first. */
export const defaultOrder: readonly Status[] = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN']

/** Returns the form in which statuses are compared. */
export function statusKey(status: Status): string {
  return status.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/**
 * Returns the status of a whole: the first of `order` that one of its parts has. Statuses that are not in `order` are
 * ignored; if all are, returns `UNKNOWN`. Without parts, returns `UP`.
 */
export function aggregateStatus(statuses: readonly Status[], order: readonly Status[] = defaultOrder): Status {
  if (statuses.length === 0) return 'UP'
  const present = new Set(statuses.map(statusKey))
  return order.find((status) => present.has(statusKey(status))) ?? 'UNKNOWN'
}
