import type { ReadGauge } from './gauge.ts'
import type { Reading } from './reading.ts'
import { listTags, readTags, type Tags } from './series/tags.ts'

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
  /** By the tags of its row, as text. */
  readonly #gauges = new Map<string, ReadGauge>()

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
    const byTags = new Map([...rows].map((row) => [textOf(row.tags), row]))
    this.#removeAllBut(byTags)
    for (const [text, { tags, value }] of byTags) {
      const reading = this.#readingOf(typeof value === 'function' ? value : () => value)
      const gauge = this.#gaugeOf(tags, reading)
      if (overwrite) gauge.follow(reading)
      this.#gauges.set(text, gauge)
    }
  }

  /** Before others come, since each meter has room for so many series only. */
  #removeAllBut(rows: ReadonlyMap<string, GaugeRow>): void {
    const gauges = [...this.#gauges]
    const staying = new Set(gauges.filter(([text]) => rows.has(text)).map(([, gauge]) => gauge))
    for (const [text, gauge] of gauges) {
      if (rows.has(text)) continue
      this.#gauges.delete(text)
      if (!staying.has(gauge)) this.#remove(gauge)
    }
  }
}

/** A text that no other tags have. */
function textOf(tags: Tags): string {
  return JSON.stringify(listTags(readTags(tags)))
}
