import type { MeterSnapshot } from '../metrics/snapshot.ts'
import { labelTextOf } from './label-text.ts'
import type { ReportConflict } from './name-conflict.ts'

/** The labels to write each of some series with; `undefined` for one that is not to be written. */
export type LabelsOfSeries = readonly (string | undefined)[]

/**
 * The series of one family on one page. Ids differ, and so do their labels, unless some had to be changed to be written;
 * only from then on it is worth to remember them.
 */
export class TakenSeries {
  readonly #family: string
  readonly #report: ReportConflict
  readonly #plain: (readonly string[])[] = []
  #remembered: Set<string> | undefined

  constructor(family: string, report: ReportConflict) {
    this.#family = family
    this.#report = report
  }

  /** The labels of these series; `undefined` when it takes `takeRemembered` to tell them from others. */
  takePlain(series: readonly MeterSnapshot[]): LabelsOfSeries | undefined {
    const labels = series.map(labelTextOf)
    if (this.#remembered !== undefined || !areAllPlain(labels)) return undefined
    this.#plain.push(labels)
    return labels
  }

  /** The same without those that another id has already, which are reported. Yields, so that the work can be spread. */
  *takeRemembered(series: readonly MeterSnapshot[]): Generator<undefined, LabelsOfSeries> {
    const remembered = this.#remembered ?? (yield* this.#remember())
    return series.map((snapshot) => {
      const text = labelTextOf(snapshot)
      const labels = typeof text === 'string' ? text : text.text
      if (!remembered.has(labels)) {
        remembered.add(labels)
        return labels
      }
      const { id } = snapshot
      this.#report({ scope: 'series', exported: `${this.#family}${labels.trimEnd()}`, kept: id.name, dropped: id })
      return undefined
    })
  }

  *#remember(): Generator<undefined, Set<string>> {
    const remembered = new Set<string>()
    for (const [index, labels] of this.#plain.entries()) {
      for (const each of labels) remembered.add(each)
      if (index % 32 === 31) yield
    }
    this.#remembered = remembered
    return remembered
  }
}

function areAllPlain(labels: readonly unknown[]): labels is readonly string[] {
  return labels.every((text) => typeof text === 'string')
}
