import type { ByteChunks } from './byte-chunks.ts'
import { formatBound } from './numbers.ts'

/** What follows a bucket line's bound, as bytes: `0.005"} `, and `+Inf"} ` as the last. */
export interface BoundTails {
  readonly tails: readonly Uint8Array[]
  /** The bytes of all tails together. */
  readonly length: number
}

export function boundTails(bounds: readonly number[]): BoundTails {
  const tails = [...bounds, Number.POSITIVE_INFINITY].map((bound) => Buffer.from(`${formatBound(bound)}"} `))
  return { tails, length: tails.reduce((sum, tail) => sum + tail.length, 0) }
}

/**
 * Writes one line a bucket: `start`, the bound, the cumulative count and the bucket's remark; answers with the last
 * count. All but the bounds and the counts is the same in each, so `start` is encoded once and its bytes are copied.
 */
export function writeBucketLines(
  out: ByteChunks,
  start: string,
  { tails, length: tailsLength }: BoundTails,
  counts: readonly number[],
  remarks: readonly string[],
): number {
  let buffer = out.reserve(start.length * 3)
  const length = buffer.write(start, out.position)
  const needed = tails.length * (length + countLength) + tailsLength + byteLength(remarks)
  if (buffer.length - out.position < needed) {
    buffer = out.reserve(needed)
    buffer.write(start, out.position)
  }
  const remarked = remarks.length > 0
  const first = out.position
  let position = first
  let total = 0
  for (let index = 0; index < tails.length; index++) {
    if (index > 0) buffer.copyWithin(position, first, first + length)
    position = putBytes(buffer, position + length, tails[index])
    total += counts[index] ?? 0
    position = putCount(buffer, position, total)
    if (remarked) position += buffer.write(remarks[index] ?? '', position)
    buffer[position++] = newline
  }
  out.position = position
  return total
}

const newline = 0x0a
const zero = 0x30

/** Room for a count and the newline: a whole number below 1e21 has 21 digits at most, one above is as short as `1e+21`. */
const countLength = 25

function byteLength(remarks: readonly string[]): number {
  let length = 0
  for (const remark of remarks) if (remark) length += Buffer.byteLength(remark)
  return length
}

function putBytes(buffer: Buffer, position: number, bytes: Uint8Array | undefined): number {
  if (bytes === undefined) return position
  let end = position
  for (let index = 0; index < bytes.length; index++) buffer[end++] = bytes[index] as number
  return end
}

function putCount(buffer: Buffer, position: number, count: number): number {
  if (!(count < 1e9)) return position + buffer.write(`${count}`, position)
  const whole = count | 0
  let end = position + 1
  for (let rest = whole; rest >= 10; rest = (rest / 10) | 0) end++
  for (let at = end - 1, rest = whole; at >= position; at--) {
    const shorter = (rest / 10) | 0
    buffer[at] = zero + rest - shorter * 10
    rest = shorter
  }
  return end
}
