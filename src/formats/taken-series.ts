import type { MeterId, MeterSnapshot } from '../metrics/snapshot.ts'
import { labelTextOf } from './label-text.ts'
import type { ReportConflict } from './name-conflict.ts'

/**
 * The series of one family on one page. Ids differ, and so do their labels, unless some had to be changed to be written;
 * only from then on it is worth to remember them by their text.
 */
export class TakenSeries {
  readonly #family: string
  readonly #report: ReportConflict
  readonly #ids: MeterId[] = []
  #owners: Map<string, MeterId> | undefined

  constructor(family: string, report: ReportConflict) {
    this.#family = family
    this.#report = report
  }

  /** Gets ready for these series; yields now and then, so that the work can be spread. */
  *expect(series: readonly MeterSnapshot[]): Generator<undefined, void> {
    if (this.#owners !== undefined || series.every(isUnambiguous)) return
    const owners = new Map<string, MeterId>()
    for (const [index, id] of this.#ids.entries()) {
      if (typeof id.rendered === 'string') owners.set(id.rendered, id)
      if (index % 1024 === 1023) yield
    }
    this.#owners = owners
  }

  /** The labels to write an expected series with; `undefined` when another id has them, which is reported. */
  take(snapshot: MeterSnapshot): string | undefined {
    const made = labelTextOf(snapshot)
    const labels = typeof made === 'string' ? made : made.text
    if (this.#owners === undefined) {
      this.#ids.push(snapshot.id)
      return labels
    }
    const kept = this.#owners.get(labels)
    if (kept === undefined) {
      this.#owners.set(labels, snapshot.id)
      return labels
    }
    this.#report({ scope: 'series', exported: `${this.#family}${labels.trimEnd()}`, kept, dropped: snapshot.id })
    return undefined
  }
}

function isUnambiguous(snapshot: MeterSnapshot): boolean {
  return typeof labelTextOf(snapshot) === 'string'
}
