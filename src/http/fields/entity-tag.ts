import { parseList } from './list.ts'

/** An entity tag, which identifies one version of a representation (RFC 9110 §8.8.3). */
export interface EntityTag {
  readonly weak: boolean
  /** The characters between the quotes. */
  readonly opaque: string
}

const grammar = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/

export function parseEntityTag(text: string): EntityTag | undefined {
  const match = grammar.exec(text)
  return match === null ? undefined : { weak: match[1] !== undefined, opaque: match[2] ?? '' }
}

/** Parses an `If-Match` or `If-None-Match` value: a list of tags, or `*`. Malformed tags are skipped. */
export function parseEntityTags(text: string): '*' | readonly EntityTag[] {
  if (text.trim() === '*') return '*'
  return parseList(text, { quotedPairs: false }).flatMap((member) => parseEntityTag(member) ?? [])
}

export function formatEntityTag({ weak, opaque }: EntityTag): string {
  return `${weak ? 'W/' : ''}"${opaque}"`
}

/**
 * Returns the strong entity tag of a representation: 132 bits of the SHA-256 of its media type and its bytes. The same
 * bytes with another media type are another representation, and a strong tag is unique among all of them (RFC 9110
 * §8.8.1).
 */
export function entityTagOf(mediaType: string, bytes: string | Uint8Array): EntityTag {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256').update(`${mediaType}\n`).update(bytes)
  return { weak: false, opaque: hash.digest('base64url').slice(0, 22) }
}

/** Strong comparison (RFC 9110 §8.8.3.2): both tags are strong and equal. */
export function matchStrongly(a: EntityTag, b: EntityTag): boolean {
  return !a.weak && !b.weak && a.opaque === b.opaque
}

/** Weak comparison (RFC 9110 §8.8.3.2): the tags are equal, weak or not. */
export function matchWeakly(a: EntityTag, b: EntityTag): boolean {
  return a.opaque === b.opaque
}
