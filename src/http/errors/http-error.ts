import { argumentOutOfRange } from '../../base/errors.ts'
import type { ErrorMembers } from './error-document.ts'

/**
 * Errors are identified by a registered symbol instead of by class, so that two copies of upkeep, ESM and CommonJS,
 * recognize each other's errors.
 */
const brand = Symbol.for('upkeep.HttpError')

/** Options of `HttpError`. */
export interface HttpErrorOptions extends ErrorOptions {
  /** Header fields of the response, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Members of its error document in addition to its status and message. */
  readonly members?: ErrorMembers
}

/**
 * An error whose status, message, headers and members are sent to the client as an error document. Its cause and stack
 * are never sent.
 *
 * @throws RangeError if `status` is not 4xx or 5xx.
 */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly members: ErrorMembers

  constructor(status: number, message: string, { headers = {}, members = {}, ...options }: HttpErrorOptions = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw argumentOutOfRange(`HttpError: status: expected an integer from 400 to 599, received ${status}`)
    }
    super(message, options)
    this.name = 'HttpError'
    this.status = status
    this.headers = headers
    this.members = members
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Returns whether an error is an `HttpError`, also one of another copy of this package. */
export function isHttpError(error: unknown): error is HttpError {
  return typeof error === 'object' && error !== null && brand in error
}
