import type { ExponentialSnapshot } from '../snapshot.ts'
import { fractionOf, highWordOf } from './double-bits.ts'

/** The default of `maximumBuckets`. */
export const defaultBuckets = 160
const finestScale = 8
const partsOfOctave = 2 ** finestScale
/** 2^(k/256): the upper bounds of the buckets of the finest scale within one power of two. */
const ends = /* @__PURE__ */ Float64Array.from({ length: partsOfOctave + 1 }, (_, part) => 2 ** (part / partsOfOctave))
/** By the leading eight bits of the fraction: the index of the first bound that such a value may be below. */
const firstEnd = /* @__PURE__ */ findFirstEnds()

/** Options of base-2 exponential buckets. */
export interface ExponentialHistogramOptions {
  /**
   * The maximum number of buckets per series, 2 or more. If its values need more, every two are merged. @default 160
   */
  readonly maximumBuckets?: number
  /** The initial scale, a whole number: 2^scale buckets per power of two, at most 2^8. @default 8 */
  readonly maximumScale?: number
}

/** Counts in base-2 exponential buckets, since the start of the series. The scale decreases as the values spread. */
export class ExponentialCounts {
  readonly #maximumBuckets: number
  #scale: number
  #zeros = 0
  #offset = 0
  #counts: number[] = []

  constructor({ maximumBuckets = defaultBuckets, maximumScale = finestScale }: ExponentialHistogramOptions) {
    this.#maximumBuckets = maximumBuckets
    this.#scale = Math.min(maximumScale, finestScale)
  }

  record(value: number): void {
    if (value === 0) {
      this.#zeros += 1
      return
    }
    const finest = indexAtFinest(value)
    let index = (finest >> (finestScale - this.#scale)) - this.#offset
    if (index < 0 || index >= this.#counts.length) index = this.#makeRoom(finest)
    this.#counts[index] = (this.#counts[index] as number) + 1
  }

  snapshot(): ExponentialSnapshot {
    return { scale: this.#scale, zeroCount: this.#zeros, offset: this.#offset, counts: this.#counts.slice() }
  }

  /** Copies the scale, the count of zeros, the offset, the number of buckets, and their counts. */
  copyTo(cells: Float64Array, place: number): void {
    const counts = this.#counts
    cells[place] = this.#scale
    cells[place + 1] = this.#zeros
    cells[place + 2] = this.#offset
    cells[place + 3] = counts.length
    for (let bucket = 0; bucket < counts.length; bucket++) cells[place + 4 + bucket] = counts[bucket] as number
  }

  #makeRoom(finest: number): number {
    for (;;) {
      const bucket = shiftRight(finest, finestScale - this.#scale)
      if (this.#counts.length === 0) this.#offset = bucket
      const first = Math.min(bucket, this.#offset)
      const end = Math.max(bucket + 1, this.#offset + this.#counts.length)
      if (end - first <= this.#maximumBuckets) {
        const before = new Array<number>(this.#offset - first).fill(0)
        const after = new Array<number>(end - this.#offset - this.#counts.length).fill(0)
        this.#counts = [...before, ...this.#counts, ...after]
        this.#offset = first
        return bucket - first
      }
      this.#coarsen()
    }
  }

  /** Merges every two buckets. */
  #coarsen(): void {
    const offset = this.#offset >> 1
    const counts = new Array<number>(((this.#offset + this.#counts.length - 1) >> 1) - offset + 1).fill(0)
    this.#counts.forEach((count, index) => {
      const at = ((this.#offset + index) >> 1) - offset
      counts[at] = (counts[at] as number) + count
    })
    this.#scale -= 1
    this.#offset = offset
    this.#counts = counts
  }
}

/** JavaScript shifts by the number of bits modulo 32. */
function shiftRight(value: number, bits: number): number {
  return value >> Math.min(bits, 31)
}

/** Returns the bucket of a positive value at the finest scale. A bound belongs to the bucket below it. */
function indexAtFinest(value: number): number {
  const high = highWordOf(value)
  const fraction = fractionOf(value)
  let part = firstEnd[(high >>> 12) & 0xff] as number
  while (fraction > (ends[part] as number)) part++
  return ((high >>> 20) - 1023) * 256 + part - 1
}

/** In one pass: a search for each cell is so many calls that V8 compiles them, which takes 5 MB of each process. */
function findFirstEnds(): Uint16Array {
  const found = new Uint16Array(partsOfOctave)
  let end = 0
  for (let cell = 0; cell < partsOfOctave; cell += 1) {
    while ((ends[end] ?? 2) < 1 + cell / partsOfOctave) end += 1
    found[cell] = end
  }
  return found
}
