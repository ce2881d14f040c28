import type { Attempt } from './attempt.ts'

/** Why a delivery failed, in a sentence that tells the status or the error code. */
export function deliveryFailure({ status, errorCode, retryAfterMilliseconds }: Attempt, cause?: unknown): Error {
  return new Error(sentence(), cause === undefined ? {} : { cause })

  function sentence(): string {
    if (errorCode === 'TIMEOUT') return 'The receiver did not answer in time'
    if (errorCode === 'ABORTED') return 'The export was ended before the receiver answered'
    if (status === undefined) {
      if (errorCode !== undefined) return `The receiver cannot be reached (${errorCode})`
      return cause instanceof Error ? cause.message : 'There was no time left for the export'
    }
    const after =
      retryAfterMilliseconds === undefined ? '' : `, to be asked again in ${retryAfterMilliseconds / 1_000} s`
    return `The receiver answered ${status}${after}`
  }
}
