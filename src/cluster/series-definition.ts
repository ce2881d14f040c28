import type { MeterId } from '../metrics/snapshot.ts'

/**
 * What is written once about a series. Its values are numbers at consecutive places, its cells; the kind determines
 * their number and order:
 *
 * - `counter`, `gauge`: the value
 * - `functionTimer`: count, total
 * - `timer`, `summary`: total, maximum, count; with bounds a count per bucket and one for greater values; with
 *   `exponentialBuckets` scale, count of zeros, offset, number of buckets in use, and as many counts as it says
 * - `longTaskTimer`: duration, maximum, active tasks; with bounds a count per bucket and one for greater values
 */
export interface SeriesDefinition {
  readonly kind: SeriesKind
  readonly id: MeterId
  /** Seconds since 1970-01-01T00:00:00Z; 0 for kinds that do not start. */
  readonly created: number
  /** The upper bounds of classic buckets. @default none */
  readonly bounds?: readonly number[]
  /** The maximum number of buckets of an exponential histogram. @default none */
  readonly exponentialBuckets?: number
  /** The rule that the member has declared for a gauge. @default none */
  readonly rule?: GaugeRule
}

/** How the values that members have for one gauge become one: `each` keeps all of them, with the tag `member`. */
export type GaugeRule = 'sum' | 'max' | 'min' | 'last' | 'each'

/** The kind of a series, which determines its cells. */
export type SeriesKind = 'counter' | 'gauge' | 'functionTimer' | 'timer' | 'summary' | 'longTaskTimer'

/** The places of the parts of a timer, summary or long task timer, counted from its first cell. */
export const cellPlaces = { total: 0, max: 1, count: 2, buckets: 3 } as const
/** The places of the parts of an exponential histogram, counted from its first cell. */
export const exponentialPlaces = { scale: 0, zeroCount: 1, offset: 2, length: 3, counts: 4 } as const

/** Returns the number of cells of a series. */
export function cellCount({ kind, bounds = [], exponentialBuckets }: SeriesDefinition): number {
  switch (kind) {
    case 'counter':
    case 'gauge':
      return 1
    case 'functionTimer':
      return 2
    case 'timer':
    case 'summary':
    case 'longTaskTimer':
      return cellPlaces.buckets + bucketCells(bounds) + exponentialCells(exponentialBuckets)
  }
}

/** Returns the place of the first cell of the exponential histogram of a series, counted from its first cell. */
export function exponentialPlace({ bounds = [] }: SeriesDefinition): number {
  return cellPlaces.buckets + bucketCells(bounds)
}

function bucketCells(bounds: readonly number[]): number {
  return bounds.length === 0 ? 0 : bounds.length + 1
}

function exponentialCells(buckets: number | undefined): number {
  return buckets === undefined ? 0 : exponentialPlaces.counts + buckets
}
