import type { ReadGauge } from './gauge.ts'
import type { Reading } from './meter-reading.ts'
import { listTags, readTags, type Tags } from './series/tags.ts'

/** One row of a multi-gauge: the tags of a gauge, and its value or a function that returns it. */
export interface GaugeRow {
  readonly tags: Tags
  readonly value: number | (() => number)
}

/** Gauges of one name that are registered together, such as the rows of a query. */
export interface MultiGauge {
  /**
   * Registers a gauge for each row and removes those of earlier rows that are not among them. If `overwrite` is false,
   * a row that already has a gauge keeps its value or function. @default true
   */
  register(rows: Iterable<GaugeRow>, overwrite?: boolean): void
}

/** The gauges of one name in a registry. */
interface GaugesOfName {
  /** Returns the gauge with these tags, which is created with the reading if it does not exist. */
  get(tags: Tags, reading: Reading<number>): ReadGauge
  read(value: () => number): Reading<number>
  remove(gauge: ReadGauge): void
}

export class RowGauges implements MultiGauge {
  readonly #registry: GaugesOfName
  /** By the tags of the row, as a string. */
  readonly #gauges = new Map<string, ReadGauge>()

  constructor(registry: GaugesOfName) {
    this.#registry = registry
  }

  register(rows: Iterable<GaugeRow>, overwrite = true): void {
    const byTags = new Map([...rows].map((row) => [keyOf(row.tags), row]))
    this.#removeAllBut(byTags)
    for (const [key, { tags, value }] of byTags) {
      const reading = this.#registry.read(typeof value === 'function' ? value : () => value)
      const gauge = this.#registry.get(tags, reading)
      if (overwrite) gauge.follow(reading)
      this.#gauges.set(key, gauge)
    }
  }

  /** Called before gauges are added, because the number of series of a meter is limited. */
  #removeAllBut(rows: ReadonlyMap<string, GaugeRow>): void {
    const gauges = [...this.#gauges]
    const staying = new Set(gauges.filter(([key]) => rows.has(key)).map(([, gauge]) => gauge))
    for (const [key, gauge] of gauges) {
      if (rows.has(key)) continue
      this.#gauges.delete(key)
      if (!staying.has(gauge)) this.#registry.remove(gauge)
    }
  }
}

/** Returns a string that identifies the tags. */
function keyOf(tags: Tags): string {
  return JSON.stringify(listTags(readTags(tags)))
}
