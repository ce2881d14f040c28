import { invalidReturn } from './errors.ts'

/** Calls a callback; returns `undefined` if it fails. */
type SafeCall<A extends readonly unknown[], R> = (callback: (...args: A) => unknown, ...args: A) => R | undefined

/**
 * Creates a function that calls one synchronous callback of the application, and never throws. If the callback throws,
 * or `read` rejects its result, `failed` is called, for the first failure only, and the call returns `undefined`. A
 * promise returned instead of a value is not awaited, and its rejection is handled.
 *
 * `read` converts the result, and throws if it has the wrong type. It is called inside the guard, so that a result with
 * throwing getters is contained as well.
 */
export function createSafeCall<A extends readonly unknown[], R>(
  read: (value: unknown, ...args: A) => R,
  failed: (error: unknown, ...args: A) => void,
): SafeCall<A, R> {
  const report = onlyFirst(failed)
  return (callback, ...args) => {
    try {
      const value = callback(...args)
      ignoreRejection(value)
      return read(value, ...args)
    } catch (error) {
      report(error, ...args)
      return undefined
    }
  }
}

/** Returns a function of which only the first call has an effect. */
export function onlyFirst<A extends readonly unknown[]>(call: (...args: A) => void): (...args: A) => void {
  let isCalled = false
  return (...args) => {
    if (isCalled) return
    isCalled = true
    call(...args)
  }
}

/** Calls a listener of the application. Never throws; `failed` receives what the listener throws or rejects with. */
export function notify<A extends readonly unknown[]>(
  listener: (...args: A) => unknown,
  args: A,
  failed: (error: unknown) => void,
): void {
  try {
    const result = listener(...args)
    if (isPromise(result)) Promise.resolve(result).catch(failed)
  } catch (error) {
    failed(error)
  }
}

/** Returns a string, or `undefined` for `undefined` and `null`. Throws `TypeError` for anything else. */
export function readOptionalString(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw unexpected('a string or undefined', value)
}

/** Creates the error for a callback's result of the wrong type. */
export function unexpected(expected: string, value: unknown): TypeError {
  return invalidReturn(`expected ${expected}, received ${kindOf(value)}`)
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : typeof error === 'string' ? error : kindOf(error)
  } catch {
    return 'an error that cannot be described'
  }
}

/** Returns the type of a value with its article, for error messages that must not contain the value itself. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'object') return isPromise(value) ? 'a promise' : 'an object'
  return value === '' ? 'an empty string' : `a ${typeof value}`
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Handles the rejection of a promise that is not awaited, which would end the process. */
export function ignoreRejection(value: unknown): void {
  if (isPromise(value)) Promise.resolve(value).catch(() => {})
}
