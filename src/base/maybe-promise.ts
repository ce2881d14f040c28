/** A value that is there already, or the promise of one. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Goes on with a value: at once where it is there, and else when it comes. So what is there already costs no turn of the
 * event loop. What `then` throws, or the promise rejects with, goes to the caller as it came: thrown or rejected.
 */
export function thenNow<T, R>(soon: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return soon instanceof Promise ? soon.then(then) : then(soon)
}
