/** Wall time and monotonic time. Everything that needs the time is handed a clock, so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z; may be set back by the operating system. */
  wallTime(): number
  /** Milliseconds from an arbitrary origin, with a fraction; never goes back. */
  monotonicTime(): number
}

export const systemClock: Clock = {
  wallTime: () => Date.now(),
  monotonicTime: () => performance.now(),
}
