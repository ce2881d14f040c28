import type { BucketsSnapshot, Exemplar, ExponentialSnapshot, MeterSnapshot } from '../../metrics/snapshot.ts'
import { cellPlaces, exponentialPlace, exponentialPlaces, type SeriesDefinition } from '../series-definition.ts'

/** Returns the snapshot of a series from its cells, the first of which is at `place`, and its exemplars by bucket. */
export function snapshotOfCells(
  definition: SeriesDefinition,
  cells: Float64Array,
  place: number,
  exemplars?: readonly (Exemplar | undefined)[],
): MeterSnapshot {
  const { kind, id, created } = definition
  const at = (cell: number): number => cells[place + cell] ?? Number.NaN
  switch (kind) {
    case 'counter':
      return { kind, id, value: at(0), created, exemplar: exemplars?.[0] }
    case 'gauge':
      return { kind, id, value: at(0) }
    case 'functionTimer':
      return { kind, id, count: at(0), total: at(1), created }
    case 'longTaskTimer':
      return {
        kind,
        id,
        activeTasks: at(cellPlaces.count),
        duration: at(cellPlaces.total),
        max: at(cellPlaces.max),
        buckets: bucketsOf(definition, cells, place),
      }
    case 'timer':
    case 'summary':
      return {
        kind,
        id,
        count: at(cellPlaces.count),
        total: at(cellPlaces.total),
        max: at(cellPlaces.max),
        percentiles: undefined,
        buckets: bucketsOf(definition, cells, place),
        exponential: readExponential(definition, cells, place),
        exemplars,
        created,
      }
  }
}

function bucketsOf({ bounds }: SeriesDefinition, cells: Float64Array, place: number): BucketsSnapshot | undefined {
  if (bounds === undefined || bounds.length === 0) return undefined
  const first = place + cellPlaces.buckets
  return { bounds, counts: Array.from(cells.subarray(first, first + bounds.length + 1)) }
}

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
