import { argumentOutOfRange } from '../../base/errors.ts'
import { trimWhiteSpace } from '../../base/white-space.ts'

/** A member of `baggage`: a value that is propagated with a trace. */
export interface BaggageMember {
  readonly key: string
  /** The value, percent-decoded. */
  readonly value: string
  /** The properties as they were received, such as `ttl=30;public`; `undefined` without any. */
  readonly properties?: string | undefined
}

/** The limits up to which every member has to be propagated. W3C Baggage §3.3.2. */
const maxMembers = 64
const maxLength = 8_192

/** `token` of RFC 9110 §5.6.2. */
const keyGrammar = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** `baggage-octet`. W3C Baggage §3.3.1.3. */
const valueGrammar = /^[!#-+\--:<-[\]-~]*$/

/** What has to be encoded: all but `baggage-octet`, and the percent sign. */
const encoded = /[^!#$&-+\--:<-[\]-~]+/gu

/**
 * Parses a `baggage` field. Returns its members in order; several fields are read joined by commas. Malformed members
 * are skipped, and so are those beyond the 64th or the 8,192nd character. Takes time linear in the length of the field.
 * W3C Baggage §3.3.
 */
export function parseBaggage(text: string | undefined): readonly BaggageMember[] {
  if (text === undefined) return []
  const members: BaggageMember[] = []
  for (const part of withinLimit(text).split(',')) {
    if (members.length === maxMembers) break
    const member = parseMember(part)
    if (member !== undefined) members.push(member)
  }
  return members
}

/**
 * Formats members as a `baggage` field; an empty string without members. Members that do not fit into 64 members and
 * 8,192 characters are omitted: earlier ones take precedence.
 *
 * @throws RangeError if a key or a property is invalid.
 */
export function formatBaggage(members: readonly BaggageMember[]): string {
  const parts: string[] = []
  let length = -1
  for (const { key, value, properties } of members) {
    const suffix = properties === undefined ? '' : `;${requireProperties(properties)}`
    const part = `${requireKey(key)}=${encode(value)}${suffix}`
    if (parts.length === maxMembers) break
    if (length + 1 + part.length > maxLength) continue
    parts.push(part)
    length += 1 + part.length
  }
  return parts.join(',')
}

/** Returns whether a string can be the key of a member: letters, digits and `!#$%&'*+-.^_`|~`. */
export function isBaggageKey(key: string): boolean {
  return keyGrammar.test(key)
}

/** Removes what exceeds the maximum length, with the member that would be incomplete. */
function withinLimit(text: string): string {
  if (text.length <= maxLength) return text
  const end = text.lastIndexOf(',', maxLength)
  return end < 0 ? '' : text.slice(0, end)
}

function parseMember(text: string): BaggageMember | undefined {
  const [pair = '', ...properties] = text.split(';')
  const equals = pair.indexOf('=')
  if (equals < 0) return undefined
  const key = trimWhiteSpace(pair.slice(0, equals))
  const value = trimWhiteSpace(pair.slice(equals + 1))
  if (!keyGrammar.test(key) || !valueGrammar.test(value)) return undefined
  if (properties.length === 0) return { key, value: decode(value) }
  const normalized = properties.map(normalizeProperty)
  return normalized.includes(undefined) ? undefined : { key, value: decode(value), properties: normalized.join(';') }
}

function normalizeProperty(text: string): string | undefined {
  const equals = text.indexOf('=')
  const key = trimWhiteSpace(equals < 0 ? text : text.slice(0, equals))
  if (!keyGrammar.test(key)) return undefined
  if (equals < 0) return key
  const value = trimWhiteSpace(text.slice(equals + 1))
  return valueGrammar.test(value) ? `${key}=${value}` : undefined
}

function requireKey(key: string): string {
  if (isBaggageKey(key)) return key
  throw argumentOutOfRange(`expected a key of baggage, received ${JSON.stringify(key)}`)
}

function requireProperties(properties: string): string {
  const normalized = properties.split(';').map(normalizeProperty)
  if (!normalized.includes(undefined)) return normalized.join(';')
  throw argumentOutOfRange(`expected properties of baggage, received ${JSON.stringify(properties)}`)
}

function encode(value: string): string {
  return value.replace(encoded, (text) => {
    let escapes = ''
    for (const byte of new TextEncoder().encode(text)) {
      escapes += `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`
    }
    return escapes
  })
}

/** Octets that are not UTF-8 become U+FFFD; a percent sign that begins no escape is retained. W3C Baggage §3.3.1.3. */
function decode(value: string): string {
  if (!value.includes('%')) return value
  const bytes = new Uint8Array(value.length)
  let length = 0
  for (let at = 0; at < value.length; at++) {
    const digits = value[at] === '%' ? value.slice(at + 1, at + 3) : ''
    const isEscape = /^[\dA-Fa-f]{2}$/.test(digits)
    bytes[length] = isEscape ? Number.parseInt(digits, 16) : value.charCodeAt(at)
    length += 1
    if (isEscape) at += 2
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, length))
}
