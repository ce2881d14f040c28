/** OpenTelemetry's `HrTime`: seconds and nanoseconds since 1970, or of a duration. */
export type HrTime = [seconds: number, nanoseconds: number]

/** Converts between monotonic and wall time, both in milliseconds. */
interface TimeSource {
  now(): number
  wallTimeAt(monotonicTime: number): number
}

export function toHrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1_000)
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)]
}

/**
 * Parses a `TimeInput` of OpenTelemetry's: an `HrTime`, a `Date`, milliseconds since 1970, or a time of
 * `performance.now()`, which is one that is not after now. Returns `undefined` for anything else.
 */
export function parseTime(time: unknown, source: TimeSource): HrTime | undefined {
  if (Array.isArray(time)) {
    const [seconds, nanoseconds] = time
    return Number.isFinite(seconds) && Number.isFinite(nanoseconds) ? [seconds, nanoseconds] : undefined
  }
  const milliseconds = time instanceof Date ? time.getTime() : time
  if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds)) return undefined
  const isMonotonic = typeof time === 'number' && time <= source.now()
  return toHrTime(isMonotonic ? source.wallTimeAt(milliseconds) : milliseconds)
}

/** Returns the time from one moment to another; negative seconds if the other is earlier. */
export function secondsBetween([fromSeconds, fromNanoseconds]: HrTime, [seconds, nanoseconds]: HrTime): HrTime {
  const difference = nanoseconds - fromNanoseconds
  return difference < 0 ? [seconds - fromSeconds - 1, difference + 1e9] : [seconds - fromSeconds, difference]
}
