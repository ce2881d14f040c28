/**
 * How a component is. `UP` and `UNKNOWN` serve, `DOWN` and `OUT_OF_SERVICE` do not; an application may use codes of its
 * own. Codes are compared after dropping everything but letters and digits and ignoring case, so `out-of-service` is
 * `OUT_OF_SERVICE`.
 */
export type Status = 'UP' | 'DOWN' | 'OUT_OF_SERVICE' | 'UNKNOWN' | (string & {})

/** Which status of several wins: the one that stands first here. */
export const defaultOrder: readonly Status[] = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN']

/** What two spellings of one status have in common. */
export function statusKey(status: Status): string {
  return status.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/**
 * The status of a whole: of its parts' statuses the one that stands first in `order`. A status that is not in the order
 * does not count; where none counts the whole is `UNKNOWN`, and where there are no parts it is `UP`.
 */
export function aggregateStatus(statuses: readonly Status[], order: readonly Status[] = defaultOrder): Status {
  if (statuses.length === 0) return 'UP'
  const present = new Set(statuses.map(statusKey))
  return order.find((status) => present.has(statusKey(status))) ?? 'UNKNOWN'
}
