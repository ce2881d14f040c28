import type { Health } from '../indicator.ts'
import { healthOfError, toHealth } from './check-result.ts'

/** Calls a check function and passes its health to `onResult`, once and always asynchronously. Never throws. */
export type InvokeCheck = (check: () => unknown, onResult: (health: Health) => void) => void

/**
 * Creates the function that invokes one check. A check that throws, rejects or returns anything but a health is `DOWN`.
 *
 * A check may return the same pending promise each time it is called. Only one listener is attached to that promise,
 * and only the latest `onResult` is called, so a promise that never settles does not accumulate listeners.
 */
export function createCheckInvoker(): InvokeCheck {
  let pending: { readonly returned: unknown; onResult: (health: Health) => void } | undefined

  return (check, onResult) => {
    const returned = call(check)
    if (pending !== undefined && pending.returned === returned) {
      pending.onResult = onResult
      return
    }
    const invocation = { returned, onResult }
    if (typeof returned === 'object' && returned !== null) pending = invocation
    const complete = (health: Health): void => {
      if (pending === invocation) pending = undefined
      invocation.onResult(health)
    }
    // Not Promise.resolve(), which throws if the `then` of a foreign promise cannot be read.
    void new Promise<unknown>((resolve) => resolve(returned)).then(toHealth).catch(healthOfError).then(complete)
  }
}

function call(check: () => unknown): unknown {
  try {
    return check()
  } catch (error) {
    return Promise.reject(error)
  }
}
