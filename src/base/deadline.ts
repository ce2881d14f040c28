import { maxDelay, setUnrefTimeout } from './timers.ts'

/**
 * Rejects with a `TimeoutError` that contains `name` if the work does not settle in time. Does not keep the process
 * alive.
 */
export async function withDeadline<T>(work: PromiseLike<T>, milliseconds: number, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    const reason = new DOMException(`${name} did not settle within ${milliseconds} ms`, 'TimeoutError')
    timer = setUnrefTimeout(() => reject(reason), milliseconds)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** How bounded work ended. */
type Outcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'timed out' }
  | { readonly outcome: 'failed'; readonly error: unknown }

/**
 * Runs work, and resolves when it settles or when the time is up; then its signal is aborted. Never rejects. Keeps the
 * process alive meanwhile.
 */
export function runBounded(run: (signal: AbortSignal) => unknown, milliseconds: number): Promise<Outcome> {
  const controller = new AbortController()
  return new Promise((resolve) => {
    const timeOut = (): void => {
      resolve({ outcome: 'timed out' })
      controller.abort(new DOMException(`timed out after ${milliseconds} ms`, 'TimeoutError'))
    }
    const timer = setTimeout(timeOut, Math.min(milliseconds, maxDelay))
    const end = (outcome: Outcome): void => {
      clearTimeout(timer)
      resolve(outcome)
    }
    Promise.resolve(controller.signal)
      .then(run)
      .then(
        () => end({ outcome: 'done' }),
        (error: unknown) => end({ outcome: 'failed', error }),
      )
  })
}
