import type { Exemplar, MeterSnapshot } from '../../metrics/snapshot.ts'
import { type ExportedName, onlySampleName } from '../naming.ts'
import type { ByteChunks } from './byte-chunks.ts'
import type { ExpositionFormat } from './exposition.ts'
import { formatValue, isCount } from './numbers.ts'
import type { TextsOfSeries } from './series-text.ts'

/**
 * The type of a family; a format that lacks one writes the nearest that it has. `unknown` is a counter whose name does
 * not end in `_total`, as OpenMetrics requires of counters.
 */
type MetricType = 'counter' | 'gauge' | 'info' | 'summary' | 'histogram' | 'gaugehistogram' | 'unknown'

/** The contents of the lines before a family's samples. */
export interface FamilyHeader {
  /** As in OpenMetrics: a counter's without `_total`, an info's without `_info`. */
  readonly name: string
  readonly type: MetricType
  readonly unit: string | undefined
  readonly help: string
}

/** The differences between the text formats. */
export interface TextDialect extends Omit<ExpositionFormat, 'createPage'> {
  /** Returns complete lines. */
  readonly header: (family: FamilyHeader) => string
  /** Returns what follows a sample's value: nothing, or ` # {trace_id="…",span_id="…"} value timestamp`. */
  readonly exemplar: (exemplar: Exemplar | undefined) => string
  /** Whether `_created` samples are written. */
  readonly created: boolean
  /** Whether `_gsum` and `_gcount` belong to a gauge histogram's family, or are gauges of their own. */
  readonly gaugeHistograms: boolean
  /** The last line of a page, if any. */
  readonly end: string
}

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

/** Writes the header of a counter's family and returns the writer of its series. */
export function counterFamily({ exported, help, format, out }: TextFamily): LineWriter {
  const { name, unit } = exported
  const type = exported.type === 'counter' ? 'counter' : 'unknown'
  const sampleName = onlySampleName(exported)
  const createdName = `${name}_created`
  out.write(format.header({ name, type, unit, help }))
  return lineWriter(out, (snapshot, text) => {
    if (snapshot.kind !== 'counter' || !isCount(snapshot.value)) return ''
    const { value, exemplar, created } = snapshot
    const remark = exemplar === undefined || type === 'unknown' ? '' : format.exemplar(exemplar)
    const line = `${text}${formatValue(value)}${remark}\n`
    if (!format.created || type === 'unknown') return line
    return line + createdLine(createdName, text.slice(sampleName.length), created)
  })
}

/** Writes the header of a gauge's family and returns the writer of its series. */
export function gaugeFamily({ exported, help, format, out }: TextFamily): LineWriter {
  out.write(format.header({ name: onlySampleName(exported), type: 'gauge', unit: exported.unit, help }))
  return lineWriter(out, (snapshot, text) =>
    snapshot.kind === 'gauge' ? `${text}${formatValue(snapshot.value)}\n` : '',
  )
}

/**
 * Like `gaugeFamily`, for a gauge whose name ends in `_info`. An info has its facts in its labels and is always 1: if
 * one of the first series has another value, the family is a gauge.
 */
export function infoFamily(context: TextFamily, first: readonly MeterSnapshot[]): LineWriter {
  const { exported, help, format, out } = context
  if (!first.every(isOne)) return gaugeFamily(context)
  out.write(format.header({ name: exported.name, type: 'info', unit: undefined, help }))
  return lineWriter(out, (snapshot, text) => (isOne(snapshot) ? `${text}1\n` : ''))
}

/** Creates a writer of one line per series; a series whose line is empty is omitted. */
function lineWriter(out: TextFamily['out'], lineOf: (snapshot: MeterSnapshot, text: string) => string): LineWriter {
  return {
    sideGauges: [],
    write(slice, texts) {
      let lines = ''
      let written = 0
      for (let index = 0; index < slice.length; index++) {
        const text = texts[index]
        if (text === undefined) continue
        const line = lineOf(slice[index] as MeterSnapshot, text)
        if (line === '') continue
        lines += line
        written++
      }
      out.write(lines)
      return written
    },
  }
}

function isOne(snapshot: MeterSnapshot): boolean {
  return snapshot.kind === 'gauge' && snapshot.value === 1
}

/** Returns the line with the start of a series, or an empty string if it is not known. */
export function createdLine(createdName: string, labels: string, created: number): string {
  return Number.isFinite(created) ? `${createdName}${labels}${created}\n` : ''
}
