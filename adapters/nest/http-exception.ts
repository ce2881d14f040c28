import type { ErrorMembers } from '../../src/entries/index.ts'

/** The public part of an `HttpException` of Nest. */
interface DescribedException {
  readonly status: number
  readonly detail: string
  readonly members: ErrorMembers
}

/**
 * Describes an `HttpException`, recognized by its methods; `undefined` for anything else. The messages of a validation
 * pipe become `errors`, and members of the application's own are kept.
 */
export function describeHttpException(error: unknown): DescribedException | undefined {
  if (!isHttpException(error)) return undefined
  const status = Number(error.getStatus())
  const response = error.getResponse()
  if (!Number.isInteger(status) || status < 400 || status > 599) return undefined
  if (typeof response !== 'object' || response === null) return { status, detail: String(response), members: {} }
  const { message, error: title, statusCode: _statusCode, ...others } = response as Readonly<Record<string, unknown>>
  return {
    status,
    detail: typeof message === 'string' ? message : Array.isArray(message) ? message.join('; ') : error.message,
    members: {
      ...others,
      ...(typeof title === 'string' && { title }),
      // Nest names the member in the message only; an empty JSON Pointer is the whole body (RFC 6901 §5).
      ...(Array.isArray(message) && { errors: message.map((each) => ({ path: '', message: String(each) })) }),
    },
  }
}

interface HttpException extends Error {
  getStatus(): unknown
  getResponse(): unknown
}

function isHttpException(error: unknown): error is HttpException {
  return (
    error instanceof Error &&
    'getStatus' in error &&
    typeof error.getStatus === 'function' &&
    'getResponse' in error &&
    typeof error.getResponse === 'function'
  )
}
