/** Wall time and monotonic time. Passed to everything that needs the time, so that tests can control it. */
export interface Clock {
  /** Returns milliseconds since 1970-01-01T00:00:00Z. May go backwards when the system clock is adjusted. */
  wallTime(): number
  /** Returns milliseconds since an arbitrary origin, with a fraction. Never goes backwards. */
  monotonicTime(): number
}

const key = Symbol.for('upkeep.systemClock')

// Shared by all copies of this package in a process, so that their times are comparable.
const shared = globalThis as typeof globalThis & { [key]?: Clock }
shared[key] ??= {
  wallTime: () => Date.now(),
  monotonicTime: () => performance.now(),
}

/** The clock of the system: `Date.now()` and `performance.now()`. */
export const systemClock: Clock = shared[key]
