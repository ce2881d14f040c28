import type { Clock } from 'upkeep'

export interface ManualClock extends Clock {
  /** Moves both times on. */
  advance(milliseconds: number): void
}

/** A clock that stands still until it is moved. It begins at 2026-01-01T00:00:00Z. */
export function createManualClock(): ManualClock {
  let passed = 0
  return {
    wallTime: () => Date.UTC(2026, 0, 1) + passed,
    monotonicTime: () => 1_000 + passed,
    advance(milliseconds) {
      passed += milliseconds
    },
  }
}
