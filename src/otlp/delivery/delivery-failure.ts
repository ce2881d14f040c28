import { hideCredentials } from '../../base/redaction.ts'
import type { Attempt } from './attempt.ts'

/** Why a delivery failed: the status and what the receiver wrote about it, or the error code. One line, without credentials. */
export function deliveryFailure({ status, errorCode, retryAfterMilliseconds, text }: Attempt, cause?: unknown): Error {
  return new Error(reason(), cause === undefined ? {} : { cause })

  function reason(): string {
    if (errorCode === 'TIMEOUT') return 'no response in time'
    if (errorCode === 'ABORTED') return 'ended before the receiver responded'
    if (status !== undefined) {
      const after = retryAfterMilliseconds === undefined ? '' : ` (Retry-After: ${retryAfterMilliseconds / 1_000} s)`
      return `${status}${after}${text === '' ? '' : ` ${text}`}`
    }
    if (errorCode !== undefined) return `the receiver cannot be reached (${errorCode})`
    // By shape: in Jest an error of Node's is no instance of the `Error` that modules see.
    const { message } = Object(cause) as { readonly message?: unknown }
    return typeof message === 'string' ? hideCredentials(message.replaceAll(/\s+/g, ' ')) : 'no time was left'
  }
}
