import type { Exemplar, MeterSnapshot } from '../../metrics/snapshot.ts'
import { namesTakenBy, onlySampleName, sampleNamesOf } from '../naming.ts'
import { ByteChunks } from './byte-chunks.ts'
import { distributionFamily, gaugeDistributionFamily } from './distribution-family.ts'
import type { ExpositionFormat, ExpositionPage, Family, FamilyWriter } from './exposition.ts'
import { exemplarLabels } from './labels.ts'
import { DistinctSeries } from './name-conflict.ts'
import { formatValue } from './numbers.ts'
import { escapeLabelValue, sliceTextsOf } from './series-text.ts'
import {
  counterFamily,
  type FamilyHeader,
  gaugeFamily,
  infoFamily,
  type LineWriter,
  type TextDialect,
  type TextFamily,
} from './text-family.ts'

/**
 * OpenMetrics 1.0: units, exemplars on `_bucket` and `_total`, infos and gauge histograms. Without `_created` samples,
 * which Prometheus stores as one more series per counter, timer and summary.
 */
export const openMetricsText: TextFormat = /* @__PURE__ */ openMetrics(false)

/** OpenMetrics 1.0 with `_created` samples. */
export const openMetricsTextWithCreated: TextFormat = /* @__PURE__ */ openMetrics(true)

function openMetrics(created: boolean): TextFormat {
  return textFormat({
    mediaType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    header: openMetricsHeader,
    namesOf: namesTakenBy,
    exemplar,
    created,
    gaugeHistograms: true,
    end: '# EOF\n',
  })
}

/** In OpenMetrics, the help text is escaped like a label value. */
function openMetricsHeader({ name, type, unit, help }: FamilyHeader): string {
  const unitLine = unit === undefined ? '' : `# UNIT ${name} ${unit}\n`
  return `# TYPE ${name} ${type}\n${unitLine}# HELP ${name} ${escapeLabelValue(help)}\n`
}

function exemplar(taken: Exemplar | undefined): string {
  if (taken === undefined) return ''
  const labels = exemplarLabels(taken)
  if (labels.length === 0) return ''
  const pairs = labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`)
  return ` # {${pairs.join(',')}} ${formatValue(taken.value)} ${taken.timestamp}`
}

/** Prometheus' text format 0.0.4: no units, no exemplars, no `_created`; infos are gauges. */
export const prometheusText: TextFormat = /* @__PURE__ */ textFormat({
  mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  header: prometheusHeader,
  namesOf: sampleNamesOf,
  exemplar: () => '',
  created: false,
  gaugeHistograms: false,
  end: '',
})

function prometheusHeader({ name, type, help }: FamilyHeader): string {
  switch (type) {
    case 'counter':
      return lines(`${name}_total`, type, help)
    case 'info':
      return lines(`${name}_info`, 'gauge', help)
    case 'unknown':
      return lines(name, 'untyped', help)
    case 'gaugehistogram':
      return lines(name, 'histogram', help)
    case 'gauge':
    case 'histogram':
    case 'summary':
      return lines(name, type, help)
  }
}

function lines(name: string, type: string, help: string): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`
}

/** Escapes backslash and newline; unlike in label values and in OpenMetrics, not the quote. */
function escapeHelp(help: string): string {
  return help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')
}

type TextFormat = ExpositionFormat & TextDialect

function textFormat(dialect: TextDialect): TextFormat {
  return { ...dialect, createPage: () => new TextPage(dialect) }
}

/** The size of the pieces that are rendered and written to a socket. */
const chunkBytes = 65_536

class TextPage implements ExpositionPage {
  readonly #dialect: TextDialect
  readonly #out = new ByteChunks(chunkBytes)

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
