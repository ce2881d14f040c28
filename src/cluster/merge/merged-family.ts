import type { MeterId, Tag } from '../../metrics/snapshot.ts'
import type { SeriesKind } from '../series-definition.ts'
import type { MergeRule } from './merge-rules.ts'
import { MergedSeries, type SeriesFamily } from './merged-series.ts'
import { overflowTags, tagsKey } from './series-key.ts'

/** What the first series of a name and kind says about all of them. */
type FamilyNaming = Pick<MeterId, 'name' | 'description' | 'baseUnit' | 'verbatim'>

/** The merged series of one name and kind. */
export class MergedFamily implements SeriesFamily {
  readonly name: string
  readonly kind: SeriesKind
  readonly description: string | undefined
  readonly baseUnit: string | undefined
  readonly rule: MergeRule
  readonly byKey: Map<string, MergedSeries> = new Map()
  /** What readers see: a series stays in its row, so that the slices of the others do not change. */
  readonly rows: (MergedSeries | undefined)[] = []
  /** The number of series that count towards the maximum. */
  admitted = 0
  /** Series whose admission is not decided. */
  candidates: MergedSeries[] = []
  overflow: MergedSeries | undefined = undefined
  readonly #verbatim: boolean | undefined
  #overflowed = 0
  readonly #leftOut = new Set<MergedSeries>()
  readonly #freeRows: number[] = []

  constructor(kind: SeriesKind, { name, description, baseUnit, verbatim }: FamilyNaming, rule: MergeRule) {
    this.kind = kind
    this.name = name
    this.description = description
    this.baseUnit = baseUnit
    this.#verbatim = verbatim
    this.rule = rule
  }

  get isEmpty(): boolean {
    return this.byKey.size === 0
  }

  /** Whether readers see any series. */
  get isShown(): boolean {
    return this.rows.length > this.#freeRows.length
  }

  /** Returns the series with these tags, and creates it. */
  series(key: string, tags: readonly Tag[]): MergedSeries {
    const known = this.byKey.get(key)
    if (known !== undefined) return known
    const { name, description, baseUnit } = this
    const naming = { name, tags, description, baseUnit }
    const id = this.#verbatim === undefined ? naming : { ...naming, verbatim: this.#verbatim }
    const series = new MergedSeries(this, key, id)
    this.byKey.set(key, series)
    this.candidates.push(series)
    return series
  }

  /** The number of series beyond the maximum. */
  get refused(): number {
    return this.#overflowed + this.#leftOut.size
  }

  /** Decides which new series the family may have. Returns whether it may not have all of them. */
  admit(maximum: number): boolean {
    const candidates = this.candidates.filter(({ contributions }) => contributions > 0)
    this.candidates = []
    // In the order of their start, so that all readers decide alike, whichever member they have read first.
    if (this.admitted + candidates.length > maximum) candidates.sort(byStart)
    let isExceeded = false
    for (const series of candidates) {
      if (this.admitted < maximum || series.id.tags.length === 0) {
        series.admission = 'admitted'
        this.admitted += 1
      } else if (this.#refuse(series)) isExceeded = true
    }
    return isExceeded
  }

  /**
   * Ends the admission of a series that no member has any more. Returns whether gauges that were left out are decided
   * anew.
   */
  dismiss(series: MergedSeries): boolean {
    if (series.admission === 'admitted' && series !== this.overflow) this.admitted -= 1
    if (series.admission === 'overflowed' && this.overflow !== undefined) {
      this.#overflowed -= 1
      this.overflow.contributions -= 1
    }
    series.admission = 'ended'
    this.#leftOut.delete(series)
    if (this.#leftOut.size === 0) return false
    for (const left of this.#leftOut) {
      left.admission = 'new'
      this.candidates.push(left)
    }
    this.#leftOut.clear()
    return true
  }

  show(series: MergedSeries): void {
    series.row = this.#freeRows.pop() ?? this.rows.length
    this.rows[series.row] = series
  }

  remove(series: MergedSeries): void {
    this.byKey.delete(series.key)
    if (series === this.overflow) this.overflow = undefined
    if (series.row < 0) return
    this.rows[series.row] = undefined
    this.#freeRows.push(series.row)
    series.row = -1
  }

  /** Returns whether a series is refused: not the overflow itself, which members have too. */
  #refuse(series: MergedSeries): boolean {
    if (this.kind === 'gauge') {
      series.admission = 'leftOut'
      this.#leftOut.add(series)
      return true
    }
    const overflow = this.overflow ?? this.#createOverflow(series.id.tags)
    if (series === overflow) return false
    series.admission = 'overflowed'
    this.#overflowed += 1
    overflow.admission = 'admitted'
    overflow.contributions += 1
    overflow.startedAt(series.created)
    overflow.addVariantsOf(series)
    return true
  }

  #createOverflow(like: readonly Tag[]): MergedSeries {
    const tags = overflowTags(like)
    const overflow = this.series(tagsKey(tags), tags)
    if (overflow.admission === 'admitted') this.admitted -= 1
    overflow.admission = 'admitted'
    // It is not to be decided any more.
    this.candidates = []
    this.overflow = overflow
    return overflow
  }
}

function byStart(one: MergedSeries, other: MergedSeries): number {
  return (one.created || 0) - (other.created || 0) || (one.key < other.key ? -1 : 1)
}
