import { parseList } from './list.ts'

/** A range of bytes as it was requested: from a first byte to a last one or the end, or the last bytes. */
export type ByteRange =
  | { readonly kind: 'from'; readonly first: number; readonly last: number | undefined }
  | { readonly kind: 'suffix'; readonly length: number }

/** More ranges than this are not read (RFC 9110 §17.15). */
const maxRanges = 16

/**
 * Parses a `Range` value of the unit `bytes` (RFC 9110 §14.1.2 and §14.2). Returns `undefined` for another unit, and
 * for a value that is invalid as a whole, such as one with a range whose last byte precedes its first one.
 */
export function parseRange(text: string): readonly ByteRange[] | undefined {
  const [, list] = /^bytes=(.*)$/i.exec(text) ?? []
  if (list === undefined) return undefined
  const ranges: ByteRange[] = []
  for (const member of parseList(list, { atMost: maxRanges + 1 })) {
    const range = parseByteRange(member)
    if (range === undefined) return undefined
    ranges.push(range)
  }
  return ranges.length === 0 || ranges.length > maxRanges ? undefined : ranges
}

function parseByteRange(text: string): ByteRange | undefined {
  const [, start = '', end = ''] = /^(\d{0,15})-(\d{0,15})$/.exec(text) ?? []
  if (start === '') return end === '' ? undefined : { kind: 'suffix', length: Number(end) }
  const first = Number(start)
  const last = end === '' ? undefined : Number(end)
  return last !== undefined && last < first ? undefined : { kind: 'from', first, last }
}
