/** Known by mark and not by class: two copies of upkeep, ESM and CommonJS, recognise each other's errors. */
const brand = Symbol.for('upkeep.HttpError')

/** Header fields that an error brings along, such as `Retry-After`. */
export interface HttpErrorOptions extends ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An error that the client is told of: its status, its message and its headers reach the client as an error document,
 * its cause and its stack never do.
 *
 * @throws RangeError when `status` is no 4xx or 5xx.
 */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, { headers = {}, ...options }: HttpErrorOptions = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`The status of an HttpError must be a whole number from 400 to 599, not ${status}`)
    }
    super(message, options)
    this.name = 'HttpError'
    this.status = status
    this.headers = headers
    Object.defineProperty(this, brand, { value: true })
  }
}

export function isHttpError(error: unknown): error is HttpError {
  return typeof error === 'object' && error !== null && brand in error
}
