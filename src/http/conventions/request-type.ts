import { HttpError } from '../errors/http-error.ts'
import { type MediaType, parseMediaType } from '../fields/media-type.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/** Options for checking the type of content. */
export interface RequestTypeOptions {
  /** Whether content in a charset other than UTF-8 is refused. @default true */
  readonly utf8?: boolean
}

/**
 * Returns the accepted media type that the content of a request has: the first of the same type whose parameters do not
 * contradict it. Content without a version therefore has the first accepted one. An accepted type may be a range such
 * as `text/*`; the range of all types also accepts content without a type.
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
