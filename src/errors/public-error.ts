import { isHttpError } from './http-error.ts'

/** What of an error may leave the service. */
export interface PublicError {
  readonly status: number
  readonly detail: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * What a client may know of anything thrown. An HttpError says it itself; so does a client error of Express, Koa or a
 * body parser, which marks its message as public by `expose`. Everything else is a 500 that says nothing.
 */
export function publicError(error: unknown): PublicError {
  if (isHttpError(error)) return { status: error.status, detail: error.message, headers: error.headers }
  if (typeof error === 'object' && error !== null) {
    const { status, expose, message, headers } = error as Readonly<Record<string, unknown>>
    if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 500) {
      const detail = expose === true && typeof message === 'string' ? message : undefined
      return { status, detail, headers: stringHeaders(headers) }
    }
  }
  return { status: 500, detail: undefined, headers: {} }
}

function stringHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === 'string'))
}
