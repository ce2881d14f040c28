import { ToolError } from './tool-error.ts'

interface RateLimitOptions {
  readonly perSecond: number
  /** Requests that may be sent at once. */
  readonly burst: number
  /** Those that would wait longer are refused. */
  readonly maximumWaitMilliseconds: number
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Returns a function that resolves when the next request may be sent. Rejects with a ToolError if too many wait. */
export function createRateLimit({ perSecond, burst, maximumWaitMilliseconds, now, wait }: RateLimitOptions) {
  const interval = 1_000 / perSecond
  let next = Number.NEGATIVE_INFINITY
  return async (): Promise<void> => {
    const time = now()
    const turn = Math.max(next, time - (burst - 1) * interval)
    if (turn - time > maximumWaitMilliseconds) {
      throw new ToolError(`More than ${perSecond} requests per second to this service: ask fewer questions at a time.`)
    }
    next = turn + interval
    if (turn > time) await wait(turn - time)
  }
}
