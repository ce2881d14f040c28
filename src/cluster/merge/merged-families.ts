import type { Report } from '../../base/report.ts'
import type { GaugeRule, SeriesDefinition } from '../series-definition.ts'
import { isOtherUnit, mergeRuleOf } from './merge-rules.ts'
import { MergedFamily } from './merged-family.ts'
import type { MergedSeries } from './merged-series.ts'

export interface FamiliesOptions {
  readonly gauges: Readonly<Record<string, GaugeRule>>
  readonly maximumSeriesPerMeter: number
  readonly report: Report
}

/** In what the series of two members differ that have the same name. */
type Conflict = 'another kind' | 'another unit' | 'another description'

/** Beyond these nothing is reported any more. */
const maxReports = 100

/** The merged meters by name and kind, and which of their series are shown. */
export class MergedFamilies {
  /** The names of the series that readers see, sorted. */
  names: readonly string[] = []
  readonly #options: FamiliesOptions
  readonly #byName = new Map<string, MergedFamily[]>()
  /** Families with series whose admission is not decided. */
  readonly #growing = new Set<MergedFamily>()
  readonly #reported = new Set<string>()

  constructor(options: FamiliesOptions) {
    this.#options = options
  }

  /** The number of series beyond the maximum of their meter. */
  get overflowed(): number {
    let overflowed = 0
    for (const families of this.#byName.values()) for (const { refused } of families) overflowed += refused
    return overflowed
  }

  /** Returns the families of a name, one for each kind. */
  named(name: string): readonly MergedFamily[] {
    return this.#byName.get(name) ?? []
  }

  /** Returns the family of a series, and creates it. */
  of({ kind, id, rule }: SeriesDefinition): MergedFamily {
    const families = this.#byName.get(id.name)
    const known = families?.find((family) => family.kind === kind)
    if (known !== undefined) return known
    const family = new MergedFamily(kind, id, mergeRuleOf(id.name, this.#options.gauges, rule))
    if (families === undefined) this.#byName.set(id.name, [family])
    else families.push(family)
    return family
  }

  /** Returns in what a series differs from those that are known, and reports it once. Only a description is no matter. */
  conflict(family: MergedFamily, key: string, { kind, id }: SeriesDefinition): Conflict | undefined {
    const conflict = this.#compare(family, key, kind, id)
    if (conflict !== undefined) {
      this.#reportOnce(id.name, `the meter '${id.name}' has ${conflict} in some members of the cluster`)
    }
    return conflict
  }

  /** Returns the series of a family with these tags. A new one waits for its admission. */
  series(family: MergedFamily, key: string, tags: MergedSeries['id']['tags']): MergedSeries {
    const series = family.series(key, tags)
    if (series.admission === 'new') this.#growing.add(family)
    return series
  }

  /** Decides which new series are shown. Yields those that this has changed, family by family. */
  *admit(): Generator<readonly MergedSeries[], void> {
    const { maximumSeriesPerMeter } = this.#options
    for (const family of this.#growing) {
      const { candidates } = family
      const isExceeded = family.admit(maximumSeriesPerMeter)
      if (isExceeded) this.#reportOverflow(family)
      yield isExceeded && family.overflow !== undefined ? [...candidates, family.overflow] : candidates
    }
    this.#growing.clear()
  }

  /** Ends the admission of a series that no member has any more. Returns whether others are decided anew. */
  dismiss(series: MergedSeries): boolean {
    const { name, kind } = series.family
    const family = this.named(name).find((each) => each.kind === kind)
    const isDecidedAnew = family?.dismiss(series) ?? false
    if (family !== undefined && isDecidedAnew) this.#growing.add(family)
    return isDecidedAnew
  }

  remove(series: MergedSeries): void {
    const { family } = series
    family.remove(series)
    if (!family.isEmpty) return
    const others = this.named(family.name).filter((other) => other !== family)
    if (others.length === 0) this.#byName.delete(family.name)
    else this.#byName.set(family.name, others)
  }

  /** Finds the names of the series that readers see. */
  sortNames(): void {
    const names: string[] = []
    for (const [name, families] of this.#byName) if (families.some((family) => family.isShown)) names.push(name)
    this.names = names.sort()
  }

  #compare(
    family: MergedFamily,
    key: string,
    kind: SeriesDefinition['kind'],
    { name, baseUnit, description }: SeriesDefinition['id'],
  ): Conflict | undefined {
    const families = this.named(name)
    if (families.length > 1 && families.some((other) => other.kind !== kind && other.byKey.has(key))) {
      return 'another kind'
    }
    if (isOtherUnit(family.baseUnit, baseUnit)) return 'another unit'
    return family.description === description ? undefined : 'another description'
  }

  #reportOverflow({ name, kind }: MergedFamily): void {
    this.#reportOnce(
      `${name} ${kind}`,
      `the meter '${name}' has more than ${this.#options.maximumSeriesPerMeter} series in all members of a cluster; ` +
        `further ones are ${kind === 'gauge' ? 'not shown' : "merged with the tag value '_overflow'"}`,
    )
  }

  #reportOnce(subject: string, message: string): void {
    if (this.#reported.has(subject) || this.#reported.size >= maxReports) return
    this.#reported.add(subject)
    this.#options.report(message)
  }
}
