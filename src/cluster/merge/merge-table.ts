import type { SeriesDefinition } from '../series-definition.ts'
import { KnownBounds, noBounds } from './bucket-bounds.ts'
import type { MemberPlan } from './member-plan.ts'
import { MergedCells } from './merged-cells.ts'
import { type FamiliesOptions, MergedFamilies } from './merged-families.ts'
import { isDistribution, type MergedSeries } from './merged-series.ts'
import { tagsKey, withMember } from './series-key.ts'

/** So many series are laid out or shown in less than 0.5 ms. */
const seriesAtOnce = 128

/** Which series of members belong together. Changes are seen by readers after `commit`. */
export class MergeTable {
  readonly cells: MergedCells = new MergedCells()
  readonly families: MergedFamilies
  /** Whether the last commit has removed series, so that those that were left out can take their place. */
  hasRoom = false
  /** Whether series have moved, so that the programs of all members have to be compiled anew. */
  isMoved = false
  readonly #bounds = new KnownBounds()
  /** Series that members were added to or removed from since the last commit. */
  readonly #touched = new Set<MergedSeries>()

  constructor(options: FamiliesOptions) {
    this.families = new MergedFamilies(options)
  }

  /** Looks up the series of a member. */
  map(plan: MemberPlan, index: number, definition: SeriesDefinition, place: number): void {
    plan.definitions[index] = definition
    plan.places[index] = place
    plan.series[index] = undefined
    const { kind, id, created, bounds, exponentialBuckets } = definition
    const { isLive, slot, stage } = plan.state
    if (!isLive && (kind === 'gauge' || kind === 'longTaskTimer')) return
    const family = this.families.of(definition)
    const { scope, gauge } = family.rule
    const isEach = kind === 'gauge' && gauge === 'each'
    const tags = isEach ? withMember(id.tags, scope === 'process' ? plan.state.stageSlot : slot) : id.tags
    const key = tagsKey(tags)
    const conflict = this.families.conflict(family, key, definition)
    if (conflict !== undefined) plan.conflicting.add(index)
    if (conflict === 'another kind' || conflict === 'another unit') return
    const series = this.families.series(family, key, tags)
    plan.series[index] = series
    series.contributions += 1
    series.startedAt(created)
    if (isDistribution(kind)) {
      const known = this.#bounds.of(bounds)
      plan.bounds[index] = known
      this.#addVariant(series, plan, index, exponentialBuckets !== undefined, 1)
    } else if (scope === 'process' && stage !== undefined && (kind !== 'gauge' || gauge === 'sum')) {
      plan.staged.set(index, stage.add(series, this.cells))
    }
    this.#touched.add(series)
  }

  unmap(plan: MemberPlan, index: number): void {
    const series = plan.series[index]
    const definition = plan.definitions[index]
    plan.definitions[index] = undefined
    plan.series[index] = undefined
    plan.conflicting.delete(index)
    if (series === undefined || definition === undefined) return
    if (isDistribution(definition.kind)) {
      this.#addVariant(series, plan, index, definition.exponentialBuckets !== undefined, -1)
    }
    const staged = plan.staged.get(index)
    if (staged !== undefined) {
      plan.staged.delete(index)
      if (plan.state.stage?.remove(staged)) this.cells.release(staged.place, staged.size)
    }
    series.contributions -= 1
    this.#touched.add(series)
  }

  /** Decides which new series are shown, and where the cells of all changed ones are. */
  *settle(): Generator<undefined, void> {
    let done = 0
    for (const series of this.#touched) {
      if (series.contributions > 0) continue
      if (this.families.dismiss(series)) this.isMoved = true
      // One series less in the overflow may be the last one.
      if (series.family.overflow !== undefined) this.#touched.add(series.family.overflow)
      done += 1
      if (done % seriesAtOnce === 0) yield
    }
    for (const changed of this.families.admit()) {
      for (const series of changed) this.#touched.add(series)
      yield
    }
    for (const series of this.#touched) {
      if (series.admission === 'admitted' && series.arrange(this.cells)) this.isMoved = true
      done += 1
      if (done % seriesAtOnce === 0) yield
    }
  }

  /**
   * Shows the sums and the changes of the update to readers. What is new comes last, a few series at a time, since
   * there can be many.
   */
  *commit(): Generator<undefined, void> {
    const shown: MergedSeries[] = []
    this.hasRoom = false
    this.isMoved = false
    this.cells.commit()
    for (const series of this.#touched) {
      if (series.contributions === 0) {
        this.families.remove(series)
        series.remove(this.cells)
        this.hasRoom = true
      } else if (series.admission !== 'admitted') continue
      else if (series.layout !== undefined) series.commit(this.cells)
      else shown.push(series)
    }
    this.#touched.clear()
    if (this.hasRoom) this.families.sortNames()
    for (const [at, series] of shown.entries()) {
      series.commit(this.cells)
      series.family.show(series)
      if (at % seriesAtOnce === 0) yield
    }
    if (shown.length > 0) this.families.sortNames()
  }

  #addVariant(series: MergedSeries, plan: MemberPlan, index: number, isExponential: boolean, times: number): void {
    const bounds = plan.bounds[index] ?? noBounds
    const { isLive } = plan.state
    series.addVariant(bounds, isExponential, isLive, times)
    const { overflow } = series.family
    if (series.admission !== 'overflowed' || overflow === undefined) return
    overflow.addVariant(bounds, isExponential, isLive, times)
    this.#touched.add(overflow)
  }
}
