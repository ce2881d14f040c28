import { HttpError } from '../errors/http-error.ts'
import { type MediaType, parseMediaType } from '../fields/media-type.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/** How the type of a request's content is held to what is accepted. */
export interface RequestTypeOptions {
  /** Whether content in another charset than UTF-8 is refused. @default true */
  readonly utf8?: boolean
}

/**
 * Which of the accepted media types the content of a request has: the first of its type that has no parameter of
 * another value. So content that says no version is of the first that is accepted. An accepted type may be a range such
 * as `text/*`; of these, the one for every type takes content without a type as well.
 *
 * @throws HttpError 415 with `Accept`, or with `Accept-Encoding` for coded content (RFC 9110 §15.5.16).
 */
export function requestTypeOf(
  headers: MessageHeaders,
  accepted: readonly string[],
  { utf8 = true }: RequestTypeOptions = {},
): string {
  const coding = headerText(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'identity' && coding !== '') {
    throw new HttpError(415, 'Content codings are not supported.', { headers: { 'Accept-Encoding': 'identity' } })
  }
  const contentType = headerText(headers, 'content-type')
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType)
  const charset = mediaType?.parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  const found = utf8 && charset !== 'utf-8' ? undefined : accepted.find((each) => accepts(each, mediaType))
  if (found !== undefined) return found
  throw new HttpError(415, `The body must be ${accepted.join(' or ')}${utf8 ? ' in UTF-8' : ''}.`, {
    headers: { Accept: accepted.join(', ') },
  })
}

function accepts(accepted: string, mediaType: MediaType | undefined): boolean {
  const expected = parseMediaType(accepted)
  if (expected === undefined) return false
  if (expected.essence === '*/*') return true
  if (mediaType === undefined) return false
  const isOfType = expected.essence.endsWith('/*')
    ? mediaType.essence.startsWith(expected.essence.slice(0, -1))
    : mediaType.essence === expected.essence
  return isOfType && [...expected.parameters].every(([name, value]) => sameOrUnsaid(mediaType, name, value))
}

function sameOrUnsaid({ parameters }: MediaType, name: string, value: string): boolean {
  const said = parameters.get(name)
  return said === undefined || said === value
}
