import type { Caching } from './conventions/caching.ts'
import { type FieldSelection, selectFields } from './conventions/field-selection.ts'
import { preferredMediaType } from './conventions/negotiate.ts'
import { HttpError } from './errors/http-error.ts'
import { type EntityTag, entityTagOf } from './fields/entity-tag.ts'
import type { ManagementResponse } from './message.ts'
import type { StreamedContent } from './streamed-content.ts'

/** The content of a representation; only what is made in slices streams. */
export type Content = string | Uint8Array | StreamedContent

/** One form in which a representation could be sent. Only the form that is chosen is rendered. */
export interface Offer {
  /** The `Content-Type`, such as `application/json`. */
  readonly mediaType: string
  /** `selection` is what the client wants of it, for a form that has fields. */
  readonly render: (selection: FieldSelection | undefined) => Content
}

/** Answers to GET by what the client accepts, as it came. */
export type KeptAnswers = Map<string | undefined, ManagementResponse>

/** What a resource answers with, in every form that it could take. */
export interface Representation {
  /** @default 200 */
  readonly status?: number
  /** The preferred form first. */
  readonly offers: readonly [Offer, ...Offer[]]
  readonly caching: Caching
  /** When the resource last changed, where it knows, in milliseconds since the epoch. */
  readonly lastModified?: number
  /** Further header fields, such as `Location`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Where its answers are kept, for a representation that is handed out again and again: an empty map to begin with.
   * Whoever is handed this representation gets these answers.
   */
  readonly kept?: KeptAnswers
}

/** An answer without content, such as one that only refers to another address. */
export interface BareAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export function isBare(answer: Representation | BareAnswer): answer is BareAnswer {
  return !('offers' in answer)
}

/** A JSON value without an envelope, under its media types. */
export function offerJson(value: unknown, mediaTypes: readonly [string, ...string[]]): readonly [Offer, ...Offer[]] {
  const offer = (mediaType: string): Offer => ({
    mediaType,
    render: (selection) => {
      const text = JSON.stringify(value)
      // Selected from is what is sent: a date is a text by then, and has no fields.
      return selection === undefined ? text : JSON.stringify(selectFields(JSON.parse(text), selection))
    },
  })
  const [first, ...others] = mediaTypes
  return [offer(first), ...others.map(offer)]
}

/** The form that serves the client best, or `undefined` when none will do. */
export function chooseOffer({ offers }: Representation, accept: string | undefined): Offer | undefined {
  const preferred = preferredMediaType(accept, mediaTypesOf(offers))
  return offers.find(({ mediaType }) => mediaType === preferred)
}

/** 406, naming what can be had (RFC 9110 §15.5.7). */
export function notAcceptable({ offers }: Representation): HttpError {
  return new HttpError(406, `This resource can be had as ${mediaTypesOf(offers).join(' or ')}.`)
}

function mediaTypesOf(offers: readonly Offer[]): readonly string[] {
  return offers.map(({ mediaType }) => mediaType)
}

/** The strong entity tag of content that may be stored; what may not, and what streams, has none. */
export function tagContent({ caching }: Representation, { mediaType }: Offer, content: Content): EntityTag | undefined {
  return caching === 'no-store' || isStream(content) ? undefined : entityTagOf(mediaType, content)
}

export function isStream(content: Content): content is StreamedContent {
  return typeof content === 'object' && Symbol.asyncIterator in content
}
