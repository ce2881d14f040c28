import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { type ExportedName, onlySampleName } from '../naming.ts'
import type { ReportConflict } from './name-conflict.ts'
import type { SliceSeries } from './series-labels.ts'
import { createSeriesText } from './series-text.ts'

/**
 * The series of one family on one page, each at most once. Different series are written differently, unless a tag had
 * to be changed (`http.route` and `http_route` are both `http_route`). So series are compared only once one of them is
 * ambiguous, which saves most families a map of all their series.
 */
export class DistinctSeries {
  readonly #exported: ExportedName
  readonly #report: ReportConflict
  /** The slices before the first ambiguous series. */
  #unambiguous: SliceSeries[] = []
  /** The series that is written with each key; `undefined` until a series is ambiguous. */
  #owners: Map<string, MeterId> | undefined

  constructor(exported: ExportedName, report: ReportConflict) {
    this.#exported = exported
    this.#report = report
  }

  /**
   * Returns the indices of the series of the next slice that have the labels of an earlier one, and reports them;
   * `undefined` if there are none. Yields now and then, so that the work can be spread.
   */
  *duplicatesIn(
    slice: readonly MeterSnapshot[],
    added: SliceSeries,
  ): Generator<undefined, ReadonlySet<number> | undefined> {
    if (this.#owners === undefined && !added.isAmbiguous) {
      this.#unambiguous.push(added)
      return undefined
    }
    const owners = this.#owners ?? (yield* this.#compareFromNowOn())
    const omitted = new Set<number>()
    for (const [index, snapshot] of slice.entries()) {
      const key = added.keyOf(index)
      const owner = owners.get(key) ?? snapshot.id
      owners.set(key, owner)
      if (owner === snapshot.id) continue
      omitted.add(index)
      this.#report({ scope: 'series', exported: this.#textOf(snapshot), kept: owner, dropped: snapshot.id })
    }
    return omitted
  }

  #textOf({ id, kind }: MeterSnapshot): string {
    const sampleName = onlySampleName(this.#exported) || this.#exported.name
    return createSeriesText(id.tags, kind, sampleName).text.trimEnd()
  }

  *#compareFromNowOn(): Generator<undefined, Map<string, MeterId>> {
    const owners = new Map<string, MeterId>()
    for (const { ids, keyOf } of this.#unambiguous) {
      for (const [index, id] of ids.entries()) owners.set(keyOf(index), id)
      yield
    }
    this.#unambiguous = []
    this.#owners = owners
    return owners
  }
}
