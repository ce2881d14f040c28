import { parseTraceparent } from '../ids/trace-context/traceparent.ts'
import { cachingHeaders } from './conventions/caching.ts'
import { headerText } from './conventions/header-text.ts'
import { acceptOf, preferredMediaType } from './conventions/negotiate.ts'
import { mountPathOf, pathOf, queryOf } from './conventions/target.ts'
import { type ErrorCircumstances, errorDocument } from './errors/error-document.ts'
import { HttpError } from './errors/http-error.ts'
import { publicError } from './errors/public-error.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'

const mediaTypes = ['application/problem+json', 'application/json']

/** Fields of the answer that was being prepared, which say nothing of the error document that takes its place. */
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

/** Fields that are not an error's to set: they say how this answer is framed, written and kept. */
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

const longestInstance = 1_024

/**
 * The answer to a request that failed: an error document (RFC 9457), as `application/problem+json` or, for a client that
 * prefers or only accepts that, as `application/json`. Of an error that is not meant for the client it tells nothing but 500.
 */
export function errorResponse(error: unknown, request: ManagementRequest): ManagementResponse {
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

/** The answer to a request for which there is no resource: 404 with an error document. */
export function notFoundResponse(request: ManagementRequest): ManagementResponse {
  return errorResponse(new HttpError(404, 'Resource not found.'), request)
}

/** A member of the application's own that is no JSON costs the members, and not the document. */
function documentText(status: number, circumstances: ErrorCircumstances): string {
  try {
    return JSON.stringify(errorDocument(status, circumstances))
  } catch {
    return JSON.stringify(errorDocument(status, { ...circumstances, members: undefined }))
  }
}

/** As the service has named the request, or else as the client has, where that is safe to repeat. */
function requestIdOf({ requestId, headers }: ManagementRequest): string | undefined {
  const id = requestId ?? headers['x-request-id']
  return typeof id === 'string' && id.length <= 128 && /^[!-~]+$/.test(id) ? id : undefined
}

/** The fields that an error brings along, without those that no message could hold. */
function carriedFields(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const carried = Object.entries(headers).filter(
    ([name, value]) =>
      !ownFields.includes(name.toLowerCase()) &&
      /^[!#$%&'*+.^_`|~\w-]+$/.test(name) &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  )
  return Object.fromEntries(carried)
}

/** The request's path, where it is one (RFC 3986 §3.3): an echo of the query could hold a secret. */
function instanceOf({ base, target }: ManagementRequest): string | undefined {
  const path = mountPathOf(base) + pathOf(target)
  if (path.length > longestInstance) return undefined
  return /^\/(?!\/)(?:[\w.~!$&'()*+,;=:@/-]|%[\dA-Fa-f]{2})*$/.test(path) ? path : undefined
}
