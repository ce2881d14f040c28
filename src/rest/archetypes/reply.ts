import type { ErrorMembers } from '../../http/errors/error-document.ts'
import { HttpError } from '../../http/errors/http-error.ts'

/**
 * Identified by a registered symbol instead of by class, so that duplicate installs of upkeep recognize each other's
 * replies.
 */
const brand: unique symbol = Symbol.for('upkeep.Reply')

/** A response with more than a value: another status, a location, header fields. */
export interface Reply<Value = unknown> {
  readonly [brand]: true
  readonly status: number
  readonly value: Value | undefined
  /** A path below the base path, or a URL. */
  readonly location: string | undefined
  /** `undefined` omits a field that is set by default. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A reply that only controllers may return: the action is still in progress. */
export interface Accepted<Value = unknown> extends Reply<Value> {
  readonly status: 202
}

/** A reply that redirects to another URL. */
export interface Redirect extends Reply<never> {
  readonly status: 301 | 303 | 307
}

/** Options of a reply. */
export interface ReplyOptions {
  /** Additional header fields; `undefined` omits a default one, such as `Content-Location`. @default {} */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

function reply<Status extends number, Value>(
  status: Status,
  value: Value | undefined,
  location: string | undefined,
  { headers = {} }: ReplyOptions = {},
): Reply<Value> & { readonly status: Status } {
  return { [brand]: true, status, value, location, headers }
}

export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && brand in value
}

/** Responds with 200, a value and header fields. A value alone needs no `ok`. */
export function ok<Value>(value: Value, options?: ReplyOptions): Reply<Value> {
  return reply(200, value, undefined, options)
}

/** Responds with 201; `location` is the path of the new resource below the base path, such as `orders/7`. */
export function created<Value = never>(location: string, value?: Value, options?: ReplyOptions): Reply<Value> {
  return reply(201, value, location, options)
}

/** Responds with 202; the progress is available at `location`. For controllers only. */
export function accepted<Value = never>(location: string, value?: Value, options?: ReplyOptions): Accepted<Value> {
  return reply(202, value, location, options)
}

/** Responds with 204. */
export function noContent(options?: ReplyOptions): Reply<never> {
  return reply(204, undefined, undefined, options)
}

/** Responds with 301: the resource has moved to `location`. */
export function movedPermanently(location: string, options?: ReplyOptions): Redirect {
  return reply<301, never>(301, undefined, location, options)
}

/** Responds with 303: the result can be retrieved with GET from `location`. */
export function seeOther(location: string, options?: ReplyOptions): Redirect {
  return reply<303, never>(303, undefined, location, options)
}

/** Responds with 307: the request has to be repeated at `location`. */
export function temporaryRedirect(location: string, options?: ReplyOptions): Redirect {
  return reply<307, never>(307, undefined, location, options)
}

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
