import type { ReadGauge } from './gauge.ts'
import type { Reading } from './reading.ts'
import type { Tags } from './tags.ts'

export interface GaugeRow {
  readonly tags: Tags
  readonly value: number | (() => number)
}

/** Gauges of one name that come and go together, such as the rows of a query. */
export interface MultiGauge {
  /**
   * Has a gauge for each row from now on, and none for rows of before that are no longer there. A row that had a gauge keeps
   * it as it is if `overwrite` is false. @default true
   */
  register(rows: Iterable<GaugeRow>, overwrite?: boolean): void
}

export class RowGauges implements MultiGauge {
  readonly #gaugeOf: (tags: Tags, reading: Reading<number>) => ReadGauge
  readonly #readingOf: (read: () => number) => Reading<number>
  readonly #remove: (gauge: ReadGauge) => void
  #gauges: ReadonlySet<ReadGauge> = new Set()

  constructor(
    gaugeOf: (tags: Tags, reading: Reading<number>) => ReadGauge,
    readingOf: (read: () => number) => Reading<number>,
    remove: (gauge: ReadGauge) => void,
  ) {
    this.#gaugeOf = gaugeOf
    this.#readingOf = readingOf
    this.#remove = remove
  }

  register(rows: Iterable<GaugeRow>, overwrite = true): void {
    const gauges = new Set<ReadGauge>()
    for (const { tags, value } of rows) {
      const reading = this.#readingOf(typeof value === 'function' ? value : () => value)
      const gauge = this.#gaugeOf(tags, reading)
      if (overwrite) gauge.follow(reading)
      gauges.add(gauge)
    }
    for (const gauge of this.#gauges) if (!gauges.has(gauge)) this.#remove(gauge)
    this.#gauges = gauges
  }
}
