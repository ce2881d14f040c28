import type { MeterSnapshot } from '../../metrics/snapshot.ts'
import type { ExportedName } from '../naming.ts'
import type { ByteChunks } from './byte-chunks.ts'
import type { TextsOfSeries } from './distinct-series.ts'
import type { ExpositionFormat } from './exposition-format.ts'
import { formatValue } from './numbers.ts'

/** The series of one exported name, written one after the other below one header. */
export interface Family {
  /**
   * Writes each of the series that has a text to begin with, and each whole. One whose values the formats do not allow, such as a
   * counter that is NaN, is left out. Returns how many were written.
   */
  write(series: readonly MeterSnapshot[], texts: TextsOfSeries): number
  /** What has to be families of their own, after this one. */
  readonly beside: readonly SideGauge[]
}

/** What a family is written with. */
export interface FamilyContext {
  readonly exported: ExportedName
  readonly help: string
  readonly format: ExpositionFormat
  readonly out: ByteChunks
}

/** A gauge beside a family, such as `_max`: gathered with the family's series, written after them. */
export class SideGauge {
  readonly #name: string
  readonly #labels: string[] = []
  readonly #values: number[] = []

  constructor(name: string) {
    this.#name = name
  }

  add(labels: string, value: number): void {
    this.#labels.push(labels)
    this.#values.push(value)
  }

  /** Yields now and then, so that the work can be spread. */
  *write({ help, format, out }: FamilyContext): Generator<undefined, void> {
    if (this.#labels.length === 0) return
    out.write(format.header({ name: this.#name, type: 'gauge', unit: undefined, help }))
    for (let from = 0; from < this.#labels.length; from += 64) {
      const to = Math.min(from + 64, this.#labels.length)
      let lines = ''
      for (let index = from; index < to; index++) {
        lines += `${this.#name}${this.#labels[index]}${formatValue(this.#values[index] ?? Number.NaN)}\n`
      }
      out.write(lines)
      yield
    }
  }
}
