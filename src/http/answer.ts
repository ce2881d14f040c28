import { cachingHeaders } from './conventions/caching.ts'
import { type ContentCoding, gzipped } from './conventions/content-coding.ts'
import { allowedMethods } from './conventions/methods.ts'
import type { EntityTag } from './fields/entity-tag.ts'
import { formatEntityTag } from './fields/entity-tag.ts'
import { formatHttpDate } from './fields/http-date.ts'
import type { ManagementResponse } from './message.ts'
import { type BareAnswer, type Content, isStream, type Offer, type Representation } from './representation.ts'
import type { Resource } from './resource.ts'

/** A representation as it goes out: the form that was chosen, its content and what tells its version. */
export interface Rendered {
  readonly representation: Representation
  /** Whether it is for the caller alone, and no cache may keep it that is for several. */
  readonly isPrivate: boolean
  readonly offer: Offer
  readonly content: Content
  readonly entityTag: EntityTag | undefined
  /** Only what streams is coded: the rest is too small to gain by it. */
  readonly coding: ContentCoding
}

/** The answer to GET and, without its content, to HEAD: the same status, the same fields (RFC 9110 §9.3.2). */
export function answerContent(method: string, rendered: Rendered, now: number): ManagementResponse {
  const { representation, offer, content, coding } = rendered
  return {
    status: representation.status ?? 200,
    headers: {
      ...representation.headers,
      'Content-Type': offer.mediaType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      ...(!isStream(content) && { 'Content-Length': String(byteLength(content)) }),
      ...metadataHeaders(rendered, now),
    },
    body: method === 'HEAD' ? null : coding === 'gzip' && isStream(content) ? gzipped(content) : content,
  }
}

/** 304: the client's copy still holds (RFC 9110 §15.4.5). */
export function answerNotModified(rendered: Rendered, now: number): ManagementResponse {
  return { status: 304, headers: metadataHeaders(rendered, now), body: null }
}

/** 204: done, and there is nothing to say. */
export function answerNothing(): ManagementResponse {
  return { status: 204, headers: {}, body: null }
}

/** What has a status and fields, and no content. */
export function answerBare({ status, headers }: BareAnswer): ManagementResponse {
  // 204 and 304 have no length: they end with their fields (RFC 9110 §8.6).
  return status === 204 || status === 304
    ? { status, headers, body: null }
    : { status, headers: { ...headers, 'Content-Length': '0' }, body: null }
}

/** 204 with what the resource can do (RFC 9110 §9.3.7). */
export function answerOptions(resource: Resource): ManagementResponse {
  return { status: 204, headers: { Allow: allowedMethods(resource) }, body: null }
}

/** Further fields that a 304 brings up to date: where the content is, and what is around it. */
const renewed: readonly string[] = ['Content-Location', 'Link', 'X-Total-Count']

/** What a 200 says about its content, and a 304 about the copy of it. */
function metadataHeaders(
  { representation, isPrivate, content, entityTag }: Rendered,
  now: number,
): Readonly<Record<string, string>> {
  const { caching, lastModified, offers, headers = {} } = representation
  const told = Object.entries(headers).filter(([name]) => renewed.includes(name))
  return {
    ...Object.fromEntries(told),
    ...cachingHeaders(caching, now, isPrivate),
    ...(typeof caching === 'object' && { Date: formatHttpDate(now) }),
    ...(entityTag !== undefined && { ETag: formatEntityTag(entityTag) }),
    ...(lastModified !== undefined && caching !== 'no-store' && { 'Last-Modified': formatHttpDate(lastModified) }),
    ...varyHeader(offers, content, isPrivate && caching !== 'no-store'),
  }
}

/** By which fields of the request the answer was chosen (RFC 9110 §12.5.5). */
function varyHeader(
  offers: readonly Offer[],
  content: Content,
  dependsOnCaller: boolean,
): Readonly<Record<string, string>> {
  const fields = [
    ...(offers.length > 1 ? ['Accept'] : []),
    ...(isStream(content) ? ['Accept-Encoding'] : []),
    // One browser may have several accounts.
    ...(dependsOnCaller ? ['Authorization'] : []),
  ]
  return fields.length === 0 ? {} : { Vary: fields.join(', ') }
}

function byteLength(content: string | Uint8Array): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
}
