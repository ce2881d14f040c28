const longestDelay = 30_000

/** A response that requests a longer pause is not obeyed beyond this. */
const longestPause = 300_000

/** Returns how many milliseconds to wait before the next attempt to connect: longer after each one, with jitter. */
export function reconnectDelay(attempts: number, random: number): number {
  const longest = Math.min(longestDelay, 500 * 2 ** Math.min(attempts, 10))
  return Math.round(longest / 2 + (longest / 2) * random)
}

/** Returns the pause that a service requests with `Retry-After`, given in seconds, in milliseconds. */
export function requestedPause(error: unknown): number {
  const seconds = typeof error === 'object' && error !== null ? Reflect.get(error, 'retryAfter') : undefined
  return typeof seconds === 'number' ? Math.min(seconds * 1_000, longestPause) : 0
}

/**
 * Returns how many milliseconds to wait before a document is read again: twice as long after each failure in a row, up
 * to half a minute, and at least as long as the service requests.
 */
export function pollDelay(milliseconds: number, failures: number, error: unknown): number {
  const grown = milliseconds * 2 ** Math.min(failures, 10)
  return Math.max(milliseconds, Math.min(grown, longestDelay), requestedPause(error))
}

/** Parses `Retry-After`, as seconds or as a date. Returns seconds, `undefined` for anything else (RFC 9110 §10.2.3). */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null || value === '') return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1_000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Resolves after a time, or when the signal aborts. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
