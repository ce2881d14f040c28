/** A promise that is settled from outside, or rejects with the reason of a signal when that aborts. */
export interface Abortable<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/**
 * Creates a pending promise. `onSettled` is called once, when it settles; the listener of the signal is removed then.
 */
export function createAbortable<T>(signal: AbortSignal, onSettled: () => void = () => {}): Abortable<T> {
  const settle: { resolve: (value: T) => void; reject: (error: unknown) => void } = { resolve: noop, reject: noop }
  const promise = new Promise<T>((resolve, reject) => Object.assign(settle, { resolve, reject }))
  const finish = (): void => {
    signal.removeEventListener('abort', abort)
    onSettled()
  }
  const resolve = (value: T): void => {
    finish()
    settle.resolve(value)
  }
  const reject = (error: unknown): void => {
    finish()
    settle.reject(error)
  }
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { promise, resolve, reject }
}

/** Settles like `work`, or rejects with the reason of the signal as soon as it aborts. */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = createAbortable<T>(signal)
  work.then(resolve, reject)
  return promise
}

function noop(): void {}
