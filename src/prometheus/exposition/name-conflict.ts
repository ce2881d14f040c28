import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { type ExportedName, onlySampleName } from '../naming.ts'
import type { SliceSeries } from './labels.ts'
import { createSeriesText } from './series-text.ts'

/** Two meters with the same exported name or series: the first is written, the other is omitted. */
export interface NameConflict {
  /** Whether all series of the dropped meter's name are omitted, or only one. */
  readonly scope: 'family' | 'series'
  /** The name or series of both, such as `orders_total` or `orders{region="eu"}`. */
  readonly exported: string
  /** The meter that is written. */
  readonly kept: MeterId
  /** The meter that is omitted; of a family, its first one. */
  readonly dropped: MeterId
}

export type ReportConflict = (conflict: NameConflict) => void

/**
 * Returns a function that takes all names of a family on one page and returns `true`, or reports the first that another
 * family has and returns `false`. `namesOf` returns every name that a family takes.
 */
export function createNameTaker(
  namesOf: (exported: ExportedName) => readonly string[],
  report: ReportConflict,
): (exported: ExportedName, id: MeterId) => boolean {
  const owners = new Map<string, MeterId>()
  return (exported, id) => {
    const names = namesOf(exported)
    for (const name of names) {
      const kept = owners.get(name)
      if (kept === undefined) continue
      report({ scope: 'family', exported: name, kept, dropped: id })
      return false
    }
    for (const name of names) owners.set(name, id)
    return true
  }
}

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
