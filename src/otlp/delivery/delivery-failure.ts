import { hideCredentials } from '../../base/redaction.ts'
import type { Attempt } from './attempt.ts'

/** Returns why a delivery failed, in one line without credentials: status and response text, or error code. */
export function deliveryFailure({ status, errorCode, retryAfterMilliseconds, text }: Attempt, cause?: unknown): Error {
  return new Error(reason(), cause === undefined ? {} : { cause })

  function reason(): string {
    if (errorCode === 'TIMEOUT') return 'no response in time'
    if (errorCode === 'ABORTED') return 'aborted before the receiver responded'
    if (status !== undefined) {
      const after = retryAfterMilliseconds === undefined ? '' : ` (Retry-After: ${retryAfterMilliseconds / 1_000} s)`
      return `${status}${after}${text === '' ? '' : ` ${text}`}`
    }
    if (errorCode !== undefined) return `receiver unreachable (${errorCode})`
    // By shape instead of `instanceof`: in Jest, errors of Node are of another realm.
    const { message } = Object(cause) as { readonly message?: unknown }
    return typeof message === 'string'
      ? hideCredentials(message.replaceAll(/\s+/g, ' '))
      : 'no time was left for an attempt'
  }
}
