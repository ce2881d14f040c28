/** Wall time and monotonic time. Everything that needs the time is handed a clock, so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z; may be set back by the operating system. */
  wallTime(): number
  /** Milliseconds from an arbitrary origin, with a fraction; never goes back. */
  monotonicTime(): number
}

const key = Symbol.for('upkeep.systemClock')

// One for every copy of this package in a process, so that what two of them have timed by it is known to be of one clock.
const shared = globalThis as typeof globalThis & { [key]?: Clock }
shared[key] ??= {
  wallTime: () => Date.now(),
  monotonicTime: () => performance.now(),
}

export const systemClock: Clock = shared[key]
