import type { ErrorMembers } from './error-document.ts'
import { isHttpError } from './http-error.ts'

/** The public part of an error. */
interface PublicError {
  readonly status: number
  readonly detail: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly members?: ErrorMembers | undefined
}

const unexpected: PublicError = { status: 500, detail: undefined, headers: {} }

/**
 * Returns the public part of a thrown value. An `HttpError` is public. So are errors of http-errors, thrown by Express,
 * Koa and their body parsers, with a message if `expose` is set. Of any other error only a 4xx status is used: the
 * headers of an error of an HTTP client belong to the response of another server. Everything else is a 500 without
 * details.
 */
export function publicError(error: unknown): PublicError {
  try {
    if (isHttpError(error)) {
      return { status: error.status, detail: error.message, headers: error.headers, members: error.members }
    }
    return typeof error === 'object' && error !== null ? foreignError(error) : unexpected
  } catch {
    // A property of the thrown value throws when it is read.
    return unexpected
  }
}

function foreignError(error: object): PublicError {
  const { status, expose, message, headers } = error as Readonly<Record<string, unknown>>
  const isForClient = typeof expose === 'boolean'
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400) return unexpected
  if (status > (isForClient ? 599 : 499)) return unexpected
  return {
    status,
    detail: expose === true && typeof message === 'string' ? message : undefined,
    headers: isForClient ? stringHeaders(headers) : {},
  }
}

function stringHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === 'string'))
}
