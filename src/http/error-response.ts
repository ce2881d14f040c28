import { parseTraceparent } from '../ids/trace-context/traceparent.ts'
import { cachingHeaders } from './conventions/caching.ts'
import { headerText } from './conventions/header-text.ts'
import { acceptOf, preferredMediaType } from './conventions/negotiate.ts'
import { mountPathOf, pathOf, queryOf } from './conventions/target.ts'
import { type ErrorCircumstances, errorDocument } from './errors/error-document.ts'
import { HttpError } from './errors/http-error.ts'
import { publicError } from './errors/public-error.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import { requireRequest } from './require-request.ts'

const mediaTypes = ['application/problem+json', 'application/json']

/** Fields of a response in preparation that do not apply to the error document that replaces it. */
export const representationHeaders: readonly string[] = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Location',
  'Content-Range',
  'ETag',
  'Last-Modified',
  'Transfer-Encoding',
]

/** Fields that an error cannot set, because they describe the error document itself. */
const ownFields: readonly string[] = [
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'expires',
  'pragma',
  'transfer-encoding',
  'vary',
]

const maxInstanceLength = 1_024

/**
 * Returns the response to a failed request: an error document (RFC 9457) as `application/problem+json` or, if the
 * client prefers it, as `application/json`. An error that is not meant for the client becomes a 500 without details.
 *
 * @throws TypeError naming a required member that the request object does not have.
 */
export function errorResponse(error: unknown, request: ManagementRequest): ManagementResponse {
  requireRequest('errorResponse', request)
  const { status, detail, headers, members } = publicError(error)
  const accept = acceptOf(request.headers, queryOf(request.target))
  const content = documentText(status, {
    detail,
    instance: instanceOf(request),
    traceId: request.traceId ?? parseTraceparent(headerText(request.headers, 'traceparent'))?.traceId,
    requestId: requestIdOf(request),
    members,
  })
  return {
    status,
    headers: {
      ...carriedFields(headers),
      'Content-Type': preferredMediaType(accept, mediaTypes) ?? 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(content)),
      ...cachingHeaders('no-store', 0),
      Vary: 'Accept',
    },
    body: request.method === 'HEAD' ? null : content,
  }
}

/** Returns the response to a request without a resource: 404 with an error document. */
export function notFoundResponse(request: ManagementRequest): ManagementResponse {
  return errorResponse(new HttpError(404, 'Resource not found.'), request)
}

/** Members of the application are omitted if they cannot be serialized. */
function documentText(status: number, circumstances: ErrorCircumstances): string {
  try {
    return JSON.stringify(errorDocument(status, circumstances))
  } catch {
    return JSON.stringify(errorDocument(status, { ...circumstances, members: undefined }))
  }
}

/** Returns the identifier that the service has set, else that of the client if it is safe to repeat. */
function requestIdOf({ requestId, headers }: ManagementRequest): string | undefined {
  const id = requestId ?? headers['x-request-id']
  return typeof id === 'string' && id.length <= 128 && /^[!-~]+$/.test(id) ? id : undefined
}

/** Returns the fields of an error without invalid ones, and without those that it cannot set. */
function carriedFields(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const carried = Object.entries(headers).filter(
    ([name, value]) =>
      !ownFields.includes(name.toLowerCase()) &&
      /^[!#$%&'*+.^_`|~\w-]+$/.test(name) &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  )
  return Object.fromEntries(carried)
}

/** Returns the path of the request if it is valid (RFC 3986 §3.3), without the query, which may contain a secret. */
function instanceOf({ base, target }: ManagementRequest): string | undefined {
  const path = mountPathOf(base) + pathOf(target)
  if (path.length > maxInstanceLength) return undefined
  return /^\/(?!\/)(?:[\w.~!$&'()*+,;=:@/-]|%[\dA-Fa-f]{2})*$/.test(path) ? path : undefined
}
