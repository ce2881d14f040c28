import type { Clock } from '../clock.ts'

/** Tells the time in ISO 8601 and UTC, to the millisecond. All but the milliseconds is made once a second. */
export function createTimestamp(clock: Clock): () => string {
  let second = Number.NaN
  let upToSecond = ''
  return () => {
    const now = clock.wallTime()
    const current = Math.floor(now / 1_000)
    if (current !== second) {
      upToSecond = new Date(current * 1_000).toISOString().slice(0, -4)
      second = current
    }
    const millisecond = Math.floor(now - current * 1_000)
    const zeros = millisecond < 10 ? '00' : millisecond < 100 ? '0' : ''
    return `${upToSecond}${zeros}${millisecond}Z`
  }
}
