import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { type ExportedName, onlySampleName } from '../naming.ts'
import type { ReportConflict } from './name-conflict.ts'
import { seriesTextOf } from './series-text.ts'

/** What to begin the lines of each of some series with; `undefined` for one that is not to be written. */
export type TextsOfSeries = readonly (string | undefined)[]

/**
 * The series of one family on one page. Ids differ, and so do their texts, unless something had to be changed to be written;
 * only from then on it is worth to know whose they are.
 */
export class TakenSeries {
  readonly #family: string
  readonly #sampleName: string
  readonly #report: ReportConflict
  #begun = false
  #owners: Map<string, MeterId> | undefined

  constructor(exported: ExportedName, report: ReportConflict) {
    this.#sampleName = onlySampleName(exported)
    this.#family = this.#sampleName === '' ? exported.name : ''
    this.#report = report
  }

  /** The texts of these series; `undefined` when it takes `takeOwned` to tell them from others. */
  takePlain(series: readonly MeterSnapshot[]): TextsOfSeries | undefined {
    if (this.#owners !== undefined) return undefined
    const texts: string[] = []
    for (const snapshot of series) {
      const text = seriesTextOf(snapshot, this.#sampleName)
      if (typeof text !== 'string') return undefined
      texts.push(text)
    }
    this.#begun = true
    return texts
  }

  /**
   * The same without those that an earlier one has already, which are reported. `all` reads the whole family from its
   * beginning, if that is past. Yields, so that the work can be spread.
   */
  *takeOwned(
    series: readonly MeterSnapshot[],
    all: () => Iterable<MeterSnapshot>,
  ): Generator<undefined, TextsOfSeries> {
    this.#owners ??= this.#begun ? yield* this.#ownersAmong(all()) : new Map()
    const owners = this.#owners
    return series.map((snapshot) => {
      const text = this.#textOf(snapshot)
      const owner = own(owners, text, snapshot.id)
      if (owner === snapshot.id) return text
      this.#report({ scope: 'series', exported: this.#family + text.trimEnd(), kept: owner, dropped: snapshot.id })
      return undefined
    })
  }

  *#ownersAmong(all: Iterable<MeterSnapshot>): Generator<undefined, Map<string, MeterId>> {
    const owners = new Map<string, MeterId>()
    for (const snapshot of all) {
      own(owners, this.#textOf(snapshot), snapshot.id)
      if (owners.size % 256 === 0) yield
    }
    return owners
  }

  #textOf(snapshot: MeterSnapshot): string {
    const text = seriesTextOf(snapshot, this.#sampleName)
    return typeof text === 'string' ? text : text.text
  }
}

/** Whose a text is: the first one's who asks. */
function own(owners: Map<string, MeterId>, text: string, id: MeterId): MeterId {
  const owner = owners.get(text)
  if (owner === undefined) owners.set(text, id)
  return owner ?? id
}
