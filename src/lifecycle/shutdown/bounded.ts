/** How a step ended. */
export type Outcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'timed out' }
  | { readonly outcome: 'failed'; readonly error: unknown }

/** Node's timers take no more. */
const longestTimer = 2 ** 31 - 1

/** Runs a step, and waits for it no longer than this; its signal aborts then. Never rejects. */
export function runBounded(run: (signal: AbortSignal) => unknown, milliseconds: number): Promise<Outcome> {
  const deadline = new AbortController()
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => {
        resolve({ outcome: 'timed out' })
        deadline.abort(new DOMException(`not done after ${milliseconds}ms`, 'TimeoutError'))
      },
      Math.min(milliseconds, longestTimer),
    )
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    Promise.resolve(deadline.signal)
      .then(run)
      .then(
        () => end({ outcome: 'done' }),
        (error: unknown) => end({ outcome: 'failed', error }),
      )
  })
}

/** Lets time pass. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, Math.min(milliseconds, longestTimer)))
}
