import type { ErrorMembers } from './error-document.ts'

/** Known by mark and not by class: two copies of upkeep, ESM and CommonJS, recognise each other's errors. */
const brand = Symbol.for('upkeep.HttpError')

/** Options of `HttpError`. */
export interface HttpErrorOptions extends ErrorOptions {
  /** Header fields that it brings along, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** What its error document says beside its status and its message. */
  readonly members?: ErrorMembers
}

/**
 * An error that the client is told of: its status, its message, its headers and its members reach the client as an
 * error document, its cause and its stack never do.
 *
 * @throws RangeError when `status` is no 4xx or 5xx.
 */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly members: ErrorMembers

  constructor(status: number, message: string, { headers = {}, members = {}, ...options }: HttpErrorOptions = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`The status of an HttpError must be a whole number from 400 to 599, not ${status}`)
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
