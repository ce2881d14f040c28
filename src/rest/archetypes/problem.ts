import type { ErrorMembers } from '../../http/errors/error-document.ts'
import { HttpError } from '../../http/errors/http-error.ts'

/** Members of a problem document, and what is only reported. */
export interface Problem extends ErrorMembers {
  /** What went wrong in this case, for a person. @default none */
  readonly detail?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reported, but never sent to the client. */
  readonly cause?: unknown
}

/**
 * Returns an error to throw, with further members of its problem document (RFC 9457 §3.2): `type`, `title`, `errors` or
 * custom ones.
 *
 * @throws RangeError when `status` is not 4xx or 5xx.
 */
export function problem(status: number, { detail = '', headers, cause, ...members }: Problem = {}): HttpError {
  return new HttpError(status, detail, {
    members,
    ...(headers !== undefined && { headers }),
    ...(cause !== undefined && { cause }),
  })
}
