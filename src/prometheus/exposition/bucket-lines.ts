import type { ByteChunks } from './byte-chunks.ts'
import { formatBound } from './numbers.ts'

/** The parts of a histogram's bucket lines from the bound on: `0.005"} `, and `+Inf"} ` as the last. */
interface BoundTails {
  /** Each at the start of its own bytes, followed by as many as `copyAscii` may read beyond it. */
  readonly tails: readonly DataView[]
  readonly lengths: readonly number[]
  /** The number of bytes of all tails together. */
  readonly length: number
}

export function boundTails(bounds: readonly number[]): BoundTails {
  const texts = [...bounds, Number.POSITIVE_INFINITY].map((bound) => `${formatBound(bound)}"} `)
  const lengths = texts.map((text) => text.length)
  const tails = texts.map((text) => {
    const bytes = Buffer.alloc(text.length + copyOverhang)
    bytes.write(text)
    return new DataView(bytes.buffer)
  })
  return { tails, lengths, length: lengths.reduce((sum, length) => sum + length, 0) }
}

/**
 * Writes one line per bucket: `start`, the bound, the cumulative count and the bucket's remark. Returns the last count.
 * All but the bounds and the counts is the same in each line, so `start` is encoded once and its bytes are copied.
 */
export function writeBucketLines(
  out: ByteChunks,
  start: string,
  { tails, lengths, length: tailsLength }: BoundTails,
  counts: readonly number[],
  remarks: readonly string[],
): number {
  const length = out.append(start)
  const before = out.position
  const { bytes, view } = out.reserve(tails.length * (length + countLength) + tailsLength + byteLength(remarks))
  const remarked = remarks.length > 0
  const ascii = length === start.length
  let position = out.position
  // Where `start` can be copied from: where `append` has put it, unless `reserve` went on to another chunk. There, it
  // is encoded once more for the second line. A copy within one chunk needs no second buffer.
  let copied = position === before ? position - length : undefined
  let total = 0
  for (let index = 0; index < tails.length; index++) {
    if (index > 0) {
      if (copied === undefined) bytes.write(start, position)
      else if (ascii) copyAscii(view, copied, view, position, length)
      else bytes.copyWithin(position, copied, copied + length)
      copied ??= position
      position += length
    }
    const tailLength = lengths[index] ?? 0
    copyAscii(tails[index] as DataView, 0, view, position, tailLength)
    position += tailLength
    total += counts[index] ?? 0
    // `| 0` makes it an integer for V8 as well: it is a sum of doubles.
    if (total < 1e9) position = putDigits(bytes, position, total | 0)
    else position += bytes.write(`${total}`, position)
    const remark = remarked ? remarks[index] : undefined
    if (remark) position += bytes.write(remark, position)
    bytes[position++] = newline
  }
  out.position = position
  return total
}

const newline = 0x0a

/** How many bytes behind a copy may be overwritten, and behind its source may be read. */
const copyOverhang = 7

/**
 * The maximum length of a count with its newline, and the bytes overwritten behind a copy: an integer below 1e21 has at
 * most 21 digits, a greater one is as short as `1e+21`.
 */
const countLength = 22 + copyOverhang

function byteLength(remarks: readonly string[]): number {
  let length = 0
  for (const remark of remarks) if (remark) length += Buffer.byteLength(remark)
  return length
}

/**
 * Copies bytes eight at a time, as doubles, which for a few dozen takes half the time of `copyWithin`. Up to seven
 * bytes behind the copy are overwritten. For ASCII only: eight other bytes can form a NaN, whose bits may change when
 * it is copied.
 */
function copyAscii(from: DataView, fromStart: number, to: DataView, toStart: number, length: number): void {
  for (let offset = 0; offset < length; offset += 8) {
    to.setFloat64(toStart + offset, from.getFloat64(fromStart + offset))
  }
}

/** Writes an integer from 0 to 999,999,999 as digits. Returns the index of their end. */
function putDigits(bytes: Uint8Array, start: number, number: number): number {
  if (number >= 1_000) {
    const thousands = (number / 1_000) | 0
    return putThreeDigits(bytes, putDigits(bytes, start, thousands), number - thousands * 1_000)
  }
  if (number >= 100) return putThreeDigits(bytes, start, number)
  let position = start
  if (number >= 10) bytes[position++] = (digits[number] as number) >> 8
  bytes[position++] = digits[number] as number
  return position
}

function putThreeDigits(bytes: Uint8Array, start: number, number: number): number {
  const three = digits[number] as number
  bytes[start] = three >> 16
  bytes[start + 1] = three >> 8
  bytes[start + 2] = three
  return start + 3
}

/** The three digits of each number below 1000, one per byte. */
const digits = /* @__PURE__ */ Uint32Array.from({ length: 1_000 }, (_, number) => {
  const [hundreds = 0, tens = 0, ones = 0] = Buffer.from(`${number}`.padStart(3, '0'))
  return (hundreds << 16) | (tens << 8) | ones
})
