import type { MeterId, MeterSnapshot } from './snapshot.ts'

/** Whether a slice has these ids, in this order: then what was derived from them is still valid. */
export function hasIds(slice: readonly MeterSnapshot[], ids: readonly MeterId[]): boolean {
  if (slice.length !== ids.length) return false
  for (let at = 0; at < ids.length; at++) if (slice[at]?.id !== ids[at]) return false
  return true
}
