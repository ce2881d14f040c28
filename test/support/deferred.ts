/** A promise and the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** A promise that other code settles. */
export function deferred<T = void>(): Deferred<T> {
  const settle: { resolve?: (value: T) => void; reject?: (error: unknown) => void } = {}
  const promise = new Promise<T>((resolve, reject) => {
    settle.resolve = resolve
    settle.reject = reject
  })
  return { promise, resolve: (value) => settle.resolve?.(value), reject: (error) => settle.reject?.(error) }
}
