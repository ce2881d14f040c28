import type { Clock } from 'upkeep'

/** A clock that stands until it is set. */
export function fixedClock(milliseconds: number): Clock & { set(milliseconds: number): void } {
  let now = milliseconds
  return {
    wallTime: () => now,
    monotonicTime: () => now,
    set: (to) => {
      now = to
    },
  }
}
