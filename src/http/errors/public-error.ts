import type { ErrorMembers } from './error-document.ts'
import { isHttpError } from './http-error.ts'

/** What of an error may leave the service. */
interface PublicError {
  readonly status: number
  readonly detail: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly members?: ErrorMembers | undefined
}

const unexpected: PublicError = { status: 500, detail: undefined, headers: {} }

/**
 * What a client may know of anything thrown. An HttpError says it itself. So does an error of http-errors, as Express,
 * Koa and their body parsers throw, whose `expose` says whether its message is public. Of any other the 4xx it carries
 * counts, and nothing else: the header fields of a client's error are those of another server's answer. Everything else
 * is a 500 that says nothing.
 */
export function publicError(error: unknown): PublicError {
  try {
    if (isHttpError(error)) {
      return { status: error.status, detail: error.message, headers: error.headers, members: error.members }
    }
    return typeof error === 'object' && error !== null ? foreignError(error) : unexpected
  } catch {
    // What was thrown throws again when it is looked at.
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
