/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `then` with the value: synchronously if it is available, otherwise when the promise resolves. Avoids a
 * microtask for values that are already available. Errors are passed on: thrown by a synchronous `then`, otherwise as a
 * rejection.
 */
export function thenNow<T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}
