import type { ErrorMembers } from '../../http/errors/error-document.ts'
import { HttpError } from '../../http/errors/http-error.ts'

/** What a problem says: members of its error document, and what is not for the client. */
export interface Problem extends ErrorMembers {
  /** What went wrong this time, for a person. @default nothing */
  readonly detail?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Never told to the client. */
  readonly cause?: unknown
}

/**
 * An error to throw, with further members of its error document (RFC 9457 §3.2): `type`, `title`, `errors` or your own.
 *
 * @throws RangeError when `status` is no 4xx or 5xx.
 */
export function problem(status: number, { detail = '', headers, cause, ...members }: Problem = {}): HttpError {
  return new HttpError(status, detail, {
    members,
    ...(headers !== undefined && { headers }),
    ...(cause !== undefined && { cause }),
  })
}
