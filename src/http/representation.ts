import type { Caching } from './conventions/caching.ts'
import { type FieldSelection, selectFields } from './conventions/field-selection.ts'
import { preferredMediaType } from './conventions/negotiate.ts'
import { HttpError } from './errors/http-error.ts'
import { type EntityTag, entityTagOf } from './fields/entity-tag.ts'
import type { ManagementResponse } from './message.ts'

/** The content of a representation: complete, streamed chunk by chunk, or of a known size and read in parts. */
export type RepresentationContent = string | Uint8Array | AsyncIterable<Uint8Array | string> | RangedContent

/** Content of which a client may request a part, such as a file (RFC 9110 §14). It is not compressed. */
export interface RangedContent {
  /** In bytes, when it was rendered. */
  readonly size: number
  /**
   * The characters of its strong entity tag, which differ whenever a byte does. @default none; a client that asks for
   * the rest of what it has receives all of it
   */
  readonly entityTag?: string | undefined
  /**
   * Returns the bytes from `first` to `last`, both inclusive. Must throw if it cannot return all of them, which closes
   * the connection.
   */
  readonly read: (first: number, last: number) => AsyncIterable<Uint8Array>
}

/** One form in which a representation can be sent. Only the form that is chosen is rendered. */
export interface Offer {
  /** The `Content-Type`, such as `application/json`. */
  readonly mediaType: string
  /** Returns the content; for JSON, the members that `selection` contains. Streamed content is not read for HEAD. */
  readonly render: (selection: FieldSelection | undefined) => RepresentationContent
  /** Further header fields of this form. @default none */
  readonly headers?: Readonly<Record<string, string>>
}

/** The state of a resource, in every form in which it can be sent. */
export interface Representation {
  /** @default 200 */
  readonly status?: number
  /** The preferred form first. */
  readonly offers: readonly [Offer, ...Offer[]]
  readonly caching: Caching
  /** When the resource last changed, in milliseconds since the epoch, if it is known. */
  readonly lastModified?: number
  /** Further header fields, such as `Location`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether streamed content has no end of its own, such as events. It is ended when the client disconnects or a
   * graceful shutdown begins to drain, and is not compressed, so that each chunk is sent at once. @default false
   */
  readonly isEndless?: boolean
  /** Whether streamed content is compressed already, so that it is not compressed again. @default false */
  readonly isCompressed?: boolean
  /**
   * Where its complete responses to GET are cached by the field `Accept` of the request, initially an empty map. For a
   * representation that is returned repeatedly: every caller that receives this representation receives these
   * responses.
   */
  readonly cachedResponses?: Map<string | undefined, ManagementResponse>
}

/** A response without content, such as a redirect. */
export interface EmptyResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export function isEmptyResponse(result: Representation | EmptyResponse): result is EmptyResponse {
  return !('offers' in result)
}

/** Returns the forms of a JSON value, one for each media type. */
export function offerJson(value: unknown, mediaTypes: readonly [string, ...string[]]): readonly [Offer, ...Offer[]] {
  const offer = (mediaType: string): Offer => ({
    mediaType,
    render: (selection) => {
      const text = JSON.stringify(value)
      // Members are selected from what is sent: a date is a string by then, and has no members.
      return selection === undefined ? text : JSON.stringify(selectFields(JSON.parse(text), selection))
    },
  })
  const [first, ...others] = mediaTypes
  return [offer(first), ...others.map(offer)]
}

/** Returns the form that the client prefers, or `undefined` if it accepts none. */
export function chooseOffer({ offers }: Representation, accept: string | undefined): Offer | undefined {
  const preferred = preferredMediaType(accept, mediaTypesOf(offers))
  return offers.find(({ mediaType }) => mediaType === preferred)
}

/** Returns a 406 with the available media types (RFC 9110 §15.5.7). */
export function notAcceptable({ offers }: Representation): HttpError {
  return new HttpError(406, `Not acceptable; available as ${mediaTypesOf(offers).join(' or ')}.`)
}

function mediaTypesOf(offers: readonly Offer[]): readonly string[] {
  return offers.map(({ mediaType }) => mediaType)
}

/** Returns the strong entity tag of content; `undefined` for content that must not be stored or is streamed. */
export function tagContent(
  { caching }: Representation,
  { mediaType }: Offer,
  content: RepresentationContent,
): EntityTag | undefined {
  if (caching === 'no-store' || isStream(content)) return undefined
  if (!isRanged(content)) return entityTagOf(mediaType, content)
  return content.entityTag === undefined ? undefined : { weak: false, opaque: content.entityTag }
}

export function isStream(content: RepresentationContent): content is AsyncIterable<Uint8Array | string> {
  return typeof content === 'object' && Symbol.asyncIterator in content
}

export function isRanged(content: RepresentationContent): content is RangedContent {
  return typeof content === 'object' && 'read' in content
}
