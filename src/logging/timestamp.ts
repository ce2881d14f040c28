import type { Clock } from '../base/clock.ts'

/**
 * Returns a function that formats the time in ISO 8601 and UTC, with milliseconds, between constant strings. Everything
 * but the milliseconds is formatted once per second, and records of one millisecond share one string.
 */
export function createTimestamp(clock: Clock, before = '', after = ''): () => string {
  let millisecond = Number.NaN
  let second = Number.NaN
  let upToSecond = ''
  let text = ''
  return () => {
    const now = Math.floor(clock.wallTime())
    if (now === millisecond) return text
    const current = Math.floor(now / 1_000)
    if (current !== second) {
      upToSecond = before + new Date(current * 1_000).toISOString().slice(0, -4)
      second = current
    }
    const rest = now - current * 1_000
    const zeros = rest < 10 ? '00' : rest < 100 ? '0' : ''
    millisecond = now
    text = `${upToSecond}${zeros}${rest}Z${after}`
    return text
  }
}
