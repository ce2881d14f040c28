import type { ByteChunks } from './byte-chunks.ts'
import { formatBound } from './numbers.ts'

/** What follows a bucket line's bound, as bytes: `0.005"} `, and `+Inf"} ` as the last. */
export type BoundTails = readonly Uint8Array[]

export function boundTails(bounds: readonly number[]): BoundTails {
  return [...bounds, Number.POSITIVE_INFINITY].map((bound) => Buffer.from(`${formatBound(bound)}"} `))
}

/**
 * Writes one line a bucket: `start`, the bound, the cumulative count and the bucket's remark; answers with the last
 * count. All but the bounds and the counts is the same in each, so `start` is encoded once and its bytes are copied.
 */
export function writeBucketLines(
  out: ByteChunks,
  start: string,
  tails: BoundTails,
  counts: readonly number[],
  remarks: readonly string[],
): number {
  const buffer = out.reserve(byteLength(start, tails, remarks))
  const first = out.position
  const length = buffer.write(start, first)
  let position = first
  let total = 0
  for (let index = 0; index < tails.length; index++) {
    if (index > 0) buffer.copyWithin(position, first, first + length)
    position = putBytes(buffer, position + length, tails[index])
    total += counts[index] ?? 0
    position = putCount(buffer, position, total)
    const remark = remarks[index]
    if (remark) position += buffer.write(remark, position)
    buffer[position++] = newline
  }
  out.position = position
  return total
}

const newline = 0x0a
const zero = 0x30

/** Room for a count and the newline: a whole number below 1e21 has 21 digits at most, one above is as short as `1e+21`. */
const countLength = 25

function byteLength(start: string, tails: BoundTails, remarks: readonly string[]): number {
  let length = tails.length * (Buffer.byteLength(start) + countLength)
  for (const tail of tails) length += tail.length
  for (const remark of remarks) length += Buffer.byteLength(remark)
  return length
}

function putBytes(buffer: Buffer, position: number, bytes: Uint8Array | undefined): number {
  if (bytes === undefined) return position
  for (let index = 0; index < bytes.length; index++) buffer[position + index] = bytes[index] ?? 0
  return position + bytes.length
}

function putCount(buffer: Buffer, position: number, count: number): number {
  if (!(count < 1e9)) return position + buffer.write(`${count}`, position)
  let end = position + 1
  for (let rest = count; rest >= 10; rest = (rest / 10) | 0) end++
  for (let at = end - 1, rest = count; at >= position; at--) {
    const shorter = (rest / 10) | 0
    buffer[at] = zero + rest - shorter * 10
    rest = shorter
  }
  return end
}
