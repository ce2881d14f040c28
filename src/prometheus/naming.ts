import type { MeterId, MeterSnapshot } from '../metrics/snapshot.ts'

/**
 * What a family is to Prometheus and OpenMetrics. `unknown` is a counter that has to keep a name without `_total`. A distribution is written as a histogram or a summary, with a gauge
 * `_max` beside it; a gauge distribution has the parts of one, but all of them go down as well as up.
 */
export type ExportedType = 'counter' | 'unknown' | 'gauge' | 'info' | 'distribution' | 'gaugeDistribution'

/** What the series of one meter name are called outside. */
export interface ExportedName {
  readonly type: ExportedType
  /** The family's name as OpenMetrics has it: with the base unit, without `_total` or `_info`. */
  readonly name: string
  /** The base unit, where `name` ends in it. */
  readonly unit: string | undefined
}

/**
 * The naming table of Prometheus, which is Micrometer's: dots become underscores, what else may not stand in a name does
 * too, the base unit is appended (`seconds` for all that measures time), reserved suffixes are taken off.
 *
 * | kind                          | `http.requests`, unit as said              |
 * |-------------------------------|--------------------------------------------|
 * | counter                       | `http_requests_total`                      |
 * | counter, in bytes             | `http_requests_bytes_total`                |
 * | gauge                         | `http_requests`                            |
 * | gauge `http.requests.info`    | `http_requests_info`                       |
 * | timer, summary, functionTimer | `http_requests_seconds` (`_bucket`, `_sum`, `_count`, and a gauge `_max`) |
 * | longTaskTimer                 | `http_requests_seconds` (`_bucket`, `_gsum`, `_gcount`, and a gauge `_max`) |
 *
 * A name that is `verbatim` is exported as it stands.
 */
export function exportedName(kind: MeterSnapshot['kind'], id: MeterId): ExportedName {
  if (id.verbatim) return verbatimName(kind, id.name)
  const plain = sanitize(id.name.replace(/\.+$/, ''))
  const type = exportedType(kind, plain)
  const unit = type === 'info' || !id.baseUnit ? '' : sanitize(id.baseUnit).replace(/^_+|_+$/g, '')
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
 * Returns the names of a family and of all its samples: in OpenMetrics, where a counter `a_total` is of the family `a`, no
 * other family may have one of them.
 */
export function namesTakenBy({ type, name }: ExportedName): readonly string[] {
  return suffixes[type].map((suffix) => name + suffix)
}

/** Returns the names of a family in Prometheus' text format, where a counter and an info are called as their samples are. */
export function sampleNamesOf(exported: ExportedName): readonly string[] {
  const only = onlySampleName(exported)
  return only === '' ? namesTakenBy(exported).filter((name) => name !== `${exported.name}_created`) : [only]
}

/** The name of the samples of a family that has one a series (`_created` apart); empty, where it has several. */
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
 * A tag's key as a label's name: `http.route` is `http_route`. Two keys may meet in one name. Leading underscores are
 * made one, since `__name__` and its like are Prometheus' own; so are `le` and `quantile` in a distribution, where a tag
 * of that key becomes `exported_le`.
 */
export function exportedLabel(key: string, kind: MeterSnapshot['kind']): string {
  const name = sanitize(key).replace(/^__+/, '_')
  return kind !== 'counter' && kind !== 'gauge' && (name === 'le' || name === 'quantile') ? `exported_${name}` : name
}

/**
 * Returns the base unit of a meter as OTLP has it: `s` for `seconds`, by UCUM. What is counted is an annotation, `{thread}`,
 * where the meter's name has the unit already (`jvm.threads.live`). Any other unit is returned as it is: a Prometheus
 * appends it to the name, as the scrape does, and would leave an annotation out.
 */
export function otlpUnit({ name, baseUnit }: Pick<MeterId, 'name' | 'baseUnit'>): string {
  if (baseUnit === undefined) return ''
  const code = ucum.get(baseUnit)
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
  gaugeDistribution: ['', '_bucket', '_gsum', '_gcount', '_max'],
}

const ucum = new Map([
  ['days', 'd'],
  ['hours', 'h'],
  ['minutes', 'min'],
  ['seconds', 's'],
  ['milliseconds', 'ms'],
  ['microseconds', 'us'],
  ['nanoseconds', 'ns'],
  ['bytes', 'By'],
  ['kibibytes', 'KiBy'],
  ['mebibytes', 'MiBy'],
  ['kilobytes', 'kBy'],
  ['megabytes', 'MBy'],
  ['meters', 'm'],
  ['volts', 'V'],
  ['amperes', 'A'],
  ['joules', 'J'],
  ['watts', 'W'],
  ['grams', 'g'],
  ['celsius', 'Cel'],
  ['hertz', 'Hz'],
  ['percent', '%'],
])

const singular = new Map([
  ['connections', 'connection'],
  ['events', 'event'],
  ['files', 'file'],
  ['messages', 'message'],
  ['requests', 'request'],
  ['tasks', 'task'],
  ['threads', 'thread'],
])
