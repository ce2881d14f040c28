import { cachingHeaders } from './conventions/caching.ts'
import { type ContentCoding, gzipped } from './conventions/content-coding.ts'
import { allowedMethods } from './conventions/methods.ts'
import type { EntityTag } from './fields/entity-tag.ts'
import { formatEntityTag } from './fields/entity-tag.ts'
import { formatHttpDate } from './fields/http-date.ts'
import type { ManagementResponse, ResponseBody } from './message.ts'
import {
  type EmptyResponse,
  isRanged,
  isStream,
  type Offer,
  type Representation,
  type RepresentationContent,
} from './representation.ts'
import type { Resource } from './resource.ts'
import type { StreamedContent } from './streamed-content.ts'

/** A representation with the form that was chosen, its content and its validator. */
export interface RenderedRepresentation {
  readonly representation: Representation
  /** Whether it is for one caller, so that shared caches must not store it. */
  readonly isPrivate: boolean
  readonly offer: Offer
  readonly content: RepresentationContent
  readonly entityTag: EntityTag | undefined
  /** Only streamed content is coded: the rest is too small to benefit. */
  readonly coding: ContentCoding
}

/**
 * Responds to GET and, without the content, to HEAD: with the same status and the same fields (RFC 9110 §9.3.2).
 * Streamed content is passed as `stream` when it is ready to be sent.
 */
export function contentResponse(
  method: string,
  rendered: RenderedRepresentation,
  now: number,
  stream?: StreamedContent,
): ManagementResponse {
  const { representation, offer, content, coding } = rendered
  return {
    status: representation.status ?? 200,
    headers: {
      ...representation.headers,
      ...offer.headers,
      'Content-Type': offer.mediaType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      ...(isComplete(content) && { 'Content-Length': String(byteLength(content)) }),
      ...metadataHeaders(rendered, now),
    },
    body: method === 'HEAD' ? null : isComplete(content) ? content : coded(stream, coding),
  }
}

function coded(stream: StreamedContent | undefined, coding: ContentCoding): ResponseBody {
  return stream === undefined ? null : coding === 'gzip' ? gzipped(stream) : stream
}

/** 304: the client's copy is fresh (RFC 9110 §15.4.5). */
export function notModifiedResponse(rendered: RenderedRepresentation, now: number): ManagementResponse {
  return { status: 304, headers: metadataHeaders(rendered, now), body: null }
}

/** 204: the change was made, and has no representation. */
export function noContentResponse(): ManagementResponse {
  return { status: 204, headers: {}, body: null }
}

export function emptyResponse({ status, headers }: EmptyResponse): ManagementResponse {
  // 204 and 304 have no length: they end with their fields (RFC 9110 §8.6).
  return status === 204 || status === 304
    ? { status, headers, body: null }
    : { status, headers: { ...headers, 'Content-Length': '0' }, body: null }
}

/** 204 with the methods of the resource (RFC 9110 §9.3.7). */
export function optionsResponse(resource: Resource): ManagementResponse {
  return { status: 204, headers: { Allow: allowedMethods(resource) }, body: null }
}

/** Fields of a representation that a 304 updates. */
const updatedFields: readonly string[] = ['Content-Location', 'Link', 'X-Total-Count']

/** Returns the fields that a 200 and a 304 have in common. */
function metadataHeaders(
  { representation, isPrivate, content, entityTag }: RenderedRepresentation,
  now: number,
): Readonly<Record<string, string>> {
  const { caching, lastModified, headers = {} } = representation
  const updated = Object.entries(headers).filter(([name]) => updatedFields.includes(name))
  return {
    ...Object.fromEntries(updated),
    ...cachingHeaders(caching, now, isPrivate),
    ...(typeof caching === 'object' && { Date: formatHttpDate(now) }),
    ...(entityTag !== undefined && { ETag: formatEntityTag(entityTag) }),
    ...(lastModified !== undefined && caching !== 'no-store' && { 'Last-Modified': formatHttpDate(lastModified) }),
    ...varyHeader(representation, isStream(content), isPrivate && caching !== 'no-store'),
  }
}

/** Returns the fields of the request by which the response was selected (RFC 9110 §12.5.5). */
function varyHeader(
  { offers, isEndless = false, isCompressed = false }: Representation,
  isStreamed: boolean,
  dependsOnCaller: boolean,
): Readonly<Record<string, string>> {
  const fields = [
    ...(offers.length > 1 ? ['Accept'] : []),
    ...(isStreamed && !isEndless && !isCompressed ? ['Accept-Encoding'] : []),
    // One browser may have several accounts.
    ...(dependsOnCaller ? ['Authorization'] : []),
  ]
  return fields.length === 0 ? {} : { Vary: fields.join(', ') }
}

function isComplete(content: RepresentationContent): content is string | Uint8Array {
  return !isStream(content) && !isRanged(content)
}

function byteLength(content: string | Uint8Array): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
}
