import type { Clock } from 'upkeep'

/** A clock that changes only by `advance`. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void
}

export function createManualClock(): ManualClock {
  let now = 0
  return {
    wallTime: () => now,
    monotonicTime: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}
