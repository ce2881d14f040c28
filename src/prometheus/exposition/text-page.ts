import type { MeterSnapshot } from '../../metrics/snapshot.ts'
import { onlySampleName } from '../naming.ts'
import { type ByteChunks, createByteChunks } from './byte-chunks.ts'
import { DistinctSeries } from './distinct-series.ts'
import { distributionFamily, gaugeDistributionFamily } from './distribution-family.ts'
import type { ExpositionFormat, ExpositionPage, Family, FamilyWriter } from './exposition-format.ts'
import type { LineWriter, TextFamily } from './line-writer.ts'
import { sliceTextsOf } from './series-text.ts'
import { counterFamily, gaugeFamily, infoFamily } from './single-value-family.ts'
import type { TextDialect } from './text-dialect.ts'

/** A text format. */
export type TextFormat = ExpositionFormat & TextDialect

export function textFormat(dialect: TextDialect): TextFormat {
  return { ...dialect, createPage: () => new TextPage(dialect) }
}

/** The size of the pieces that are rendered and written to a socket. */
const chunkBytes = 65_536

class TextPage implements ExpositionPage {
  readonly #dialect: TextDialect
  readonly #out: ByteChunks = createByteChunks(chunkBytes)

  constructor(dialect: TextDialect) {
    this.#dialect = dialect
  }

  openFamily({ exported, help, onConflict }: Family, first: readonly MeterSnapshot[]): FamilyWriter {
    const family: TextFamily = { exported, help, format: this.#dialect, out: this.#out }
    const lines = openLines(family, first)
    const sampleName = onlySampleName(exported)
    const distinct = new DistinctSeries(exported, onConflict)
    return {
      *write(slice) {
        const series = sliceTextsOf(slice, sampleName)
        const omitted = yield* distinct.duplicatesIn(slice, series)
        const { texts } = series
        return lines.write(slice, omitted === undefined ? texts : without(texts, omitted))
      },
      *close() {
        for (const gauge of lines.sideGauges) yield* gauge.write(family)
      },
    }
  }

  close(): void {
    this.#out.write(this.#dialect.end)
  }

  get full(): number {
    return this.#out.full
  }

  take(rest: boolean): readonly Uint8Array[] {
    return this.#out.take(rest)
  }

  reuse(chunk: Uint8Array): void {
    this.#out.reuse(chunk)
  }
}

function openLines(family: TextFamily, first: readonly MeterSnapshot[]): LineWriter {
  switch (family.exported.type) {
    case 'counter':
    case 'unknown':
      return counterFamily(family)
    case 'gauge':
      return gaugeFamily(family)
    case 'info':
      return infoFamily(family, first)
    case 'distribution':
      return distributionFamily(family, first)
    case 'gaugeDistribution':
      return gaugeDistributionFamily(family, first)
  }
}

function without(texts: readonly string[], omitted: ReadonlySet<number>): readonly (string | undefined)[] {
  return texts.map((text, index) => (omitted.has(index) ? undefined : text))
}
