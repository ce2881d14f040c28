import type { HealthChangeFacts } from '../documents.ts'

/** A time in which a component had one status. */
interface Segment {
  readonly from: number
  readonly to: number
  readonly status: string
}

const hourMilliseconds = 3_600_000

/**
 * Returns the statuses of a component in the last hour, the earliest first.
 *
 * @param changes the latest first
 * @param status the status now
 */
export function segmentsOf(
  changes: readonly HealthChangeFacts[],
  path: string,
  status: string,
  now: number,
): readonly Segment[] {
  const begin = now - hourMilliseconds
  const segments: Segment[] = []
  let to = now
  let current = status
  for (const change of changes) {
    if (change.path !== path || change.at > to) continue
    if (change.at <= begin) break
    segments.unshift({ from: change.at, to, status: current })
    to = change.at
    current = change.from
  }
  return [{ from: begin, to, status: current }, ...segments]
}
