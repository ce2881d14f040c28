import type { ExponentialSnapshot } from '../../metrics/snapshot.ts'
import { exponentialPlace, exponentialPlaces, type SeriesDefinition } from '../series-definition.ts'

/**
 * The least and greatest scale of a histogram of doubles with at least two buckets, and the most octaves on either side
 * of 1.
 */
const [minScale, maxScale, maxOctave] = [-11, 20, 1_075]

/** Reads the exponential histogram of a series; `undefined` if it has none, or what is written cannot be one. */
export function readExponential(
  definition: SeriesDefinition,
  cells: Float64Array,
  place: number,
): ExponentialSnapshot | undefined {
  const { exponentialBuckets } = definition
  if (exponentialBuckets === undefined) return undefined
  const first = place + exponentialPlace(definition)
  const at = (cell: number): number => cells[first + cell] ?? Number.NaN
  const scale = at(exponentialPlaces.scale)
  const zeroCount = at(exponentialPlaces.zeroCount)
  const offset = at(exponentialPlaces.offset)
  const length = at(exponentialPlaces.length)
  const isRead =
    Number.isInteger(scale) &&
    scale >= minScale &&
    scale <= maxScale &&
    isCount(zeroCount) &&
    Number.isInteger(offset) &&
    Math.abs(offset) <= maxOctave * 2 ** Math.max(0, scale) &&
    Number.isInteger(length) &&
    length >= 0 &&
    length <= exponentialBuckets
  if (!isRead) return undefined
  const start = first + exponentialPlaces.counts
  const counts = Array.from(cells.subarray(start, start + length))
  return counts.every(isCount) ? { scale, zeroCount, offset, counts } : undefined
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** Returns the number of measurements in an exponential histogram. */
export function countOf({ zeroCount, counts }: ExponentialSnapshot): number {
  let sum = zeroCount
  for (let at = 0; at < counts.length; at++) sum += counts[at] as number
  return sum
}

/** The greatest number of buckets of a merged histogram: the default of one that records. */
export const maxBuckets = 160

/** The sum of exponential histograms: at the smallest scale, coarsened until there are at most 160 buckets. */
export class ExponentialSum {
  #scale: number | undefined = undefined
  #zeroCount = 0
  #offset = 0
  #counts: number[] = []

  add({ scale, zeroCount, offset, counts }: ExponentialSnapshot): void {
    this.#zeroCount += zeroCount
    const first = counts.findIndex((count) => count > 0)
    // The scale of a histogram without values is only where it would begin.
    if (first === -1) {
      if (this.#counts.length === 0) this.#scale = Math.min(this.#scale ?? scale, scale)
      return
    }
    const last = counts.findLastIndex((count) => count > 0)
    if (this.#counts.length === 0) {
      this.#scale = scale
      this.#offset = offset + first
    }
    const own = this.#scale ?? scale
    this.#coarsenBy(Math.max(0, own - scale))
    const shift = Math.max(0, scale - own)
    const bucketOf = (index: number, coarser: number) => Math.floor((offset + index) / 2 ** (shift + coarser))
    let coarser = 0
    const end = this.#offset + this.#counts.length
    const span = (by: number): number => {
      const lowest = Math.min(Math.floor(this.#offset / 2 ** by), bucketOf(first, by))
      const highest = Math.max(Math.floor((end - 1) / 2 ** by), bucketOf(last, by))
      return highest - lowest + 1
    }
    while (span(coarser) > maxBuckets) coarser += 1
    this.#coarsenBy(coarser)
    this.#extend(bucketOf(first, coarser), bucketOf(last, coarser))
    for (let index = first; index <= last; index++) {
      const at = bucketOf(index, coarser) - this.#offset
      this.#counts[at] = (this.#counts[at] ?? 0) + (counts[index] as number)
    }
  }

  snapshot(): ExponentialSnapshot {
    return { scale: this.#scale ?? 0, zeroCount: this.#zeroCount, offset: this.#offset, counts: this.#counts }
  }

  /** Merges every 2^`by` buckets. */
  #coarsenBy(by: number): void {
    if (by === 0) return
    const width = 2 ** by
    const offset = Math.floor(this.#offset / width)
    const counts: number[] = []
    for (const [index, count] of this.#counts.entries()) {
      const at = Math.floor((this.#offset + index) / width) - offset
      while (counts.length <= at) counts.push(0)
      counts[at] = (counts[at] ?? 0) + count
    }
    this.#scale = (this.#scale ?? 0) - by
    this.#offset = offset
    this.#counts = counts
  }

  #extend(lowest: number, highest: number): void {
    if (this.#counts.length === 0) this.#offset = lowest
    while (this.#offset > lowest) {
      this.#counts.unshift(0)
      this.#offset -= 1
    }
    while (this.#offset + this.#counts.length <= highest) this.#counts.push(0)
  }
}
