import type { MeterId, MeterSnapshot } from '../metrics/snapshot.ts'
import { ucumCodes, unitWord } from './ucum.ts'

/**
 * The type of a family in Prometheus and OpenMetrics. `unknown` is a counter whose name must stay without `_total`. A
 * distribution is written as a histogram or a summary, with a gauge `_max` beside it; the parts of a gauge distribution
 * decrease as well.
 */
type ExportedType = 'counter' | 'unknown' | 'gauge' | 'info' | 'distribution' | 'gaugeDistribution'

/** The exported name of the series of one meter name. */
export interface ExportedName {
  readonly type: ExportedType
  /** The family's name in OpenMetrics: with the base unit, without `_total` or `_info`. */
  readonly name: string
  /** The base unit, if `name` ends in it. */
  readonly unit: string | undefined
}

/**
 * Returns the exported name of a meter, by Micrometer's rules for Prometheus: dots and invalid characters become
 * underscores, the base unit is appended (`seconds` for all kinds that measure time), reserved suffixes are removed.
 *
 * | kind                          | `http.requests`, with the unit in the row  |
 * |-------------------------------|--------------------------------------------|
 * | counter                       | `http_requests_total`                      |
 * | counter, in bytes             | `http_requests_bytes_total`                |
 * | gauge                         | `http_requests`                            |
 * | gauge `http.requests.info`    | `http_requests_info`                       |
 * | timer, summary, functionTimer | `http_requests_seconds` (`_bucket`, `_sum`, `_count`, and a gauge `_max`) |
 * | longTaskTimer                 | `http_requests_seconds` (`_sum`, `_count`, and a gauge `_max`)            |
 * | longTaskTimer with buckets    | `http_requests_seconds` (`_bucket`, `_gsum`, `_gcount`, and a gauge `_max`) |
 *
 * A `verbatim` name is exported unchanged.
 */
export function exportedName(kind: MeterSnapshot['kind'], id: MeterId): ExportedName {
  if (id.verbatim) return verbatimName(kind, id.name)
  const plain = sanitize(id.name.replace(/\.+$/, ''))
  const type = exportedType(kind, plain)
  const word = type === 'info' || !id.baseUnit ? '' : unitWord(id.baseUnit, type === 'gauge')
  const unit = word === '' ? '' : sanitize(word).replace(/^_+|_+$/g, '')
  const stem = type === 'counter' ? withoutReservedSuffix(plain) : plain
  const name = withoutReservedSuffix(unit === '' || stem.endsWith(`_${unit}`) ? stem : `${stem}_${unit}`)
  return { type, name, unit: unit !== '' && name.endsWith(`_${unit}`) ? unit : undefined }
}

function verbatimName(kind: MeterSnapshot['kind'], name: string): ExportedName {
  const valid = sanitize(name, /[^a-zA-Z0-9_:]/gu)
  if (kind !== 'counter')
    return { type: kind === 'gauge' ? 'gauge' : exportedType(kind, valid), name: valid, unit: undefined }
  const stem = valid.replace(/(?<=.)_total$/, '')
  return { type: stem === valid ? 'unknown' : 'counter', name: stem, unit: undefined }
}

/**
 * Returns the names of a family and of all its samples. In OpenMetrics, where a counter `a_total` belongs to the family
 * `a`, no other family may have one of them.
 */
export function namesTakenBy({ type, name }: ExportedName): readonly string[] {
  return suffixes[type].map((suffix) => name + suffix)
}

/**
 * Returns the names of a family in Prometheus' text format, where a counter and an info have the name of their samples.
 */
export function sampleNamesOf(exported: ExportedName): readonly string[] {
  const only = onlySampleName(exported)
  return only === '' ? namesTakenBy(exported).filter((name) => name !== `${exported.name}_created`) : [only]
}

/**
 * Returns the name of the samples of a family with one sample per series (`_created` apart); empty if there are
 * several.
 */
export function onlySampleName({ type, name }: ExportedName): string {
  switch (type) {
    case 'counter':
      return `${name}_total`
    case 'unknown':
    case 'gauge':
      return name
    case 'info':
      return `${name}_info`
    case 'distribution':
    case 'gaugeDistribution':
      return ''
  }
}

/**
 * Returns the label name of a tag's key: `http.route` becomes `http_route`. Two keys may have the same name. Leading
 * underscores become one, because Prometheus reserves `__name__` and the like. It also reserves `le` and `quantile` in
 * a distribution, where a tag with that key becomes `exported_le`.
 */
export function exportedLabel(key: string, kind: MeterSnapshot['kind']): string {
  const name = sanitize(key).replace(/^__+/, '_')
  return kind !== 'counter' && kind !== 'gauge' && (name === 'le' || name === 'quantile') ? `exported_${name}` : name
}

/**
 * Returns the base unit of a meter in OTLP, by UCUM: `s` for `seconds`. A unit of countable things is an annotation
 * (`{thread}`) if the meter's name contains it (`jvm.threads.live`). Any other unit is returned unchanged: Prometheus
 * appends it to the name, as the scrape does, but would omit an annotation. A unit that is an annotation already
 * (`{connection}`) is in neither name.
 */
export function otlpUnit({ name, baseUnit }: Pick<MeterId, 'name' | 'baseUnit'>): string {
  if (baseUnit === undefined || baseUnit === '1') return baseUnit ?? ''
  const code = ucumCodes.get(baseUnit)
  if (code !== undefined) return code
  const isNamed = name.split(/[^a-zA-Z0-9]+/).includes(baseUnit)
  return isNamed ? `{${singular.get(baseUnit) ?? baseUnit}}` : baseUnit
}

function exportedType(kind: MeterSnapshot['kind'], name: string): ExportedType {
  switch (kind) {
    case 'counter':
      return 'counter'
    case 'gauge':
      return name.endsWith('_info') && name !== '_info' ? 'info' : 'gauge'
    case 'timer':
    case 'summary':
    case 'functionTimer':
      return 'distribution'
    case 'longTaskTimer':
      return 'gaugeDistribution'
  }
}

function sanitize(name: string, invalid = /[^a-zA-Z0-9_]/gu): string {
  const valid = name.replace(invalid, '_')
  return /^[0-9]|^$/.test(valid) ? `_${valid}` : valid
}

function withoutReservedSuffix(name: string): string {
  const shorter = name.replace(/(?<=.)_(?:total|created|bucket|info)$/, '')
  return shorter === name ? name : withoutReservedSuffix(shorter)
}

const suffixes: Readonly<Record<ExportedType, readonly string[]>> = {
  counter: ['', '_total', '_created'],
  unknown: [''],
  gauge: [''],
  info: ['', '_info'],
  distribution: ['', '_bucket', '_sum', '_count', '_created', '_max'],
  gaugeDistribution: ['', '_bucket', '_gsum', '_gcount', '_sum', '_count', '_max'],
}

const singular = new Map([
  ['connections', 'connection'],
  ['events', 'event'],
  ['files', 'file'],
  ['messages', 'message'],
  ['requests', 'request'],
  ['tasks', 'task'],
  ['threads', 'thread'],
])
