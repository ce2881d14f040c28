import type { MeterSnapshot } from '../../metrics/snapshot.ts'
import type { ExportedName } from '../naming.ts'
import type { ByteChunks } from './byte-chunks.ts'
import { formatValue } from './numbers.ts'
import type { TextsOfSeries } from './series-text.ts'
import type { TextDialect } from './text-dialect.ts'

/** Writes the series of one exported name, below a header that is already written. */
export interface LineWriter {
  /**
   * Writes the samples of each series whose text is defined and whose value the formats allow. Returns how many were
   * written.
   */
  write(slice: readonly MeterSnapshot[], texts: TextsOfSeries): number
  /** Written after this family, each as a family of its own. */
  readonly sideGauges: readonly SideGauge[]
}

/** The name and help text of a family, and how and where it is written. */
export interface TextFamily {
  readonly exported: ExportedName
  readonly help: string
  readonly format: TextDialect
  readonly out: ByteChunks
}

/**
 * A gauge derived from a family, such as `_max`: its values are collected with the family's series, and written after
 * them.
 */
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

  /** Writes the header and the collected values. Yields now and then, so that the work can be spread. */
  *write({ help, format, out }: TextFamily): Generator<undefined, void> {
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
