import type { MeterId } from '../../metrics/snapshot.ts'
import { cellPlaces, type SeriesKind } from '../series-definition.ts'
import { type Bounds, commonBounds, noBounds } from './bucket-bounds.ts'
import type { MergeRule } from './merge-rules.ts'
import type { MergedCells } from './merged-cells.ts'

/** Where the cells of a series are: as `seriesCells` says, without those of an exponential histogram. */
export interface SeriesLayout {
  readonly place: number
  readonly bounds: Bounds
  /** Whether any member has an exponential histogram of it. */
  readonly isExponential: boolean
}

/** The same buckets of several members. */
interface Variant {
  readonly bounds: Bounds
  readonly isExponential: boolean
  live: number
  ended: number
}

/**
 * ```
 *         ┌─> admitted ───┐
 *   new ──┼─> overflowed ─┼─> ended
 *    ^    └─> leftOut ────┘
 *    └──────────┘
 * ```
 *
 * A series is `new` until it is decided whether its family may have it. One that it may not is merged into the series
 * with the tag value `_overflow`, for as long as it exists; a gauge is left out until it fits.
 */
type Admission = 'new' | 'admitted' | 'overflowed' | 'leftOut' | 'ended'

/** The family of a series, as the series uses it. */
export interface SeriesFamily {
  readonly name: string
  readonly kind: SeriesKind
  readonly rule: MergeRule
  /** The series that those beyond the maximum are merged into. */
  readonly overflow: MergedSeries | undefined
  /** Whether it has no series. */
  readonly isEmpty: boolean
  /** Shows a series to readers. */
  show(series: MergedSeries): void
  /** Removes a series from what readers see. */
  remove(series: MergedSeries): void
}

/** A series of the merged view. */
export class MergedSeries {
  readonly family: SeriesFamily
  readonly key: string
  readonly id: MeterId
  /** The earliest start of all members, in seconds; NaN if none is known. */
  created: number = Number.NaN
  /** How many series of members belong to it, or series beyond the maximum. */
  contributions = 0
  admission: Admission = 'new'
  /** Its place among the series that readers see. */
  row = -1
  /** As readers see it. */
  layout: SeriesLayout | undefined = undefined
  /** As the update that is running will show it. */
  next: SeriesLayout | undefined = undefined
  readonly #variants: Variant[] = []

  constructor(family: SeriesFamily, key: string, id: MeterId) {
    this.family = family
    this.key = key
    this.id = id
  }

  startedAt(created: number): void {
    if (created >= 0 && !(this.created <= created)) this.created = created
  }

  /** Adds the buckets of a member, or with -1 removes them. */
  addVariant(bounds: Bounds, isExponential: boolean, isLive: boolean, times = 1): void {
    let variant = this.#variants.find((each) => each.bounds === bounds && each.isExponential === isExponential)
    if (variant === undefined) {
      variant = { bounds, isExponential, live: 0, ended: 0 }
      this.#variants.push(variant)
    }
    if (isLive) variant.live += times
    else variant.ended += times
    if (variant.live + variant.ended === 0) this.#variants.splice(this.#variants.indexOf(variant), 1)
  }

  /** Adds the buckets of a series that is merged into this one. */
  addVariantsOf(other: MergedSeries): void {
    for (const { bounds, isExponential, live, ended } of other.#variants) {
      if (live > 0) this.addVariant(bounds, isExponential, true, live)
      if (ended > 0) this.addVariant(bounds, isExponential, false, ended)
    }
  }

  /**
   * Returns the bounds that all live members have. Without live members, those that all others have that have any. The
   * counts of ended members are in the buckets of their bounds, so that they never stand in the way of new bounds.
   */
  #mergedBounds(): Bounds {
    if (this.#variants.length === 1) return this.#variants[0]?.bounds ?? noBounds
    const live = this.#variants.filter((variant) => variant.live > 0)
    const deciding = live.length > 0 ? live : this.#variants.filter((variant) => variant.bounds.length > 0)
    return commonBounds(deciding.map((variant) => variant.bounds))
  }

  /** Lays out its cells for the update that is running. Returns whether programs have to find them anew. */
  arrange(cells: MergedCells): boolean {
    const { kind } = this.family
    const before = this.next
    const bounds = isDistribution(kind) ? this.#mergedBounds() : noBounds
    const isExponential = this.#variants.some((variant) => variant.isExponential)
    if (before?.bounds === bounds) {
      if (before.isExponential === isExponential) return false
      this.next = { ...before, isExponential }
      return true
    }
    const place = cells.allocate(seriesCells(kind, bounds), kind === 'gauge' ? Number.NaN : 0)
    if (isDistribution(kind)) cells.setBlank(place + cellPlaces.max, Number.NaN)
    this.next = { place, bounds, isExponential }
    return before !== undefined
  }

  /** Shows the new cells. Those that were shown can be used for another series. */
  commit(cells: MergedCells): void {
    if (this.layout !== undefined && this.layout.place !== this.next?.place) this.#release(this.layout, cells)
    this.layout = this.next
  }

  remove(cells: MergedCells): void {
    this.next = undefined
    this.commit(cells)
  }

  #release({ place, bounds }: SeriesLayout, cells: MergedCells): void {
    cells.release(place, seriesCells(this.family.kind, bounds))
  }
}

/** Whether a kind has a total, a maximum and a count, and can have buckets. */
export function isDistribution(kind: SeriesKind): boolean {
  return kind === 'timer' || kind === 'summary' || kind === 'longTaskTimer'
}

/** Returns the number of cells of a merged series. */
function seriesCells(kind: SeriesKind, bounds: Bounds): number {
  if (isDistribution(kind)) return cellPlaces.buckets + (bounds.length === 0 ? 0 : bounds.length + 1)
  return kind === 'functionTimer' ? 2 : 1
}
