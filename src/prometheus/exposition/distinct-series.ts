import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { type ExportedName, onlySampleName } from '../naming.ts'
import type { ReportConflict } from './name-conflict.ts'
import { type SliceTexts, sliceTextsOf } from './series-text.ts'

/** The start of the lines of each series of a slice; `undefined` for a series that is omitted. */
export type TextsOfSeries = readonly (string | undefined)[]

/**
 * The series of one family on one page, each at most once. Different series are written differently, unless a tag had
 * to be changed (`http.route` and `http_route` are both `http_route`). So series are compared only once one of them is
 * ambiguous, which saves most families a map of all their series.
 */
export class DistinctSeries {
  readonly #family: string
  readonly #sampleName: string
  readonly #report: ReportConflict
  /** The slices before the first ambiguous series. */
  #unambiguous: SliceTexts[] = []
  /** The series that is written with each text; `undefined` until a series is ambiguous. */
  #owners: Map<string, MeterId> | undefined

  constructor(exported: ExportedName, report: ReportConflict) {
    this.#sampleName = onlySampleName(exported)
    this.#family = this.#sampleName === '' ? exported.name : ''
    this.#report = report
  }

  /**
   * Returns the text of each series of the next slice. A series with the text of an earlier one is omitted and
   * reported. Yields now and then, so that the work can be spread.
   */
  *textsOf(slice: readonly MeterSnapshot[]): Generator<undefined, TextsOfSeries> {
    const added = sliceTextsOf(slice, this.#sampleName)
    if (this.#owners === undefined && !added.isAmbiguous) {
      this.#unambiguous.push(added)
      return added.texts
    }
    const owners = this.#owners ?? (yield* this.#compareFromNowOn())
    return added.texts.map((text, at) => {
      const id = added.ids[at] as MeterId
      const owner = owners.get(text) ?? id
      owners.set(text, owner)
      if (owner === id) return text
      this.#report({ scope: 'series', exported: this.#family + text.trimEnd(), kept: owner, dropped: id })
      return undefined
    })
  }

  *#compareFromNowOn(): Generator<undefined, Map<string, MeterId>> {
    const owners = new Map<string, MeterId>()
    for (const { ids, texts } of this.#unambiguous) {
      for (const [at, text] of texts.entries()) owners.set(text, ids[at] as MeterId)
      yield
    }
    this.#unambiguous = []
    this.#owners = owners
    return owners
  }
}
