import type { ExponentialSnapshot, MeterId } from '../../metrics/snapshot.ts'
import { attributeValue } from '../metrics/attribute-value.ts'
import type { CountedSnapshot } from '../metrics/counted.ts'
import type { MetricKind } from '../metrics/map-snapshot.ts'
import { writeAttribute } from './attributes.ts'
import { writeExemplar } from './encode-exemplar.ts'
import { type Field, type MessageWriter, writeTime } from './message-writer.ts'

/** What the data points of a metric have in common. */
export interface MetricDescriptor {
  readonly name: string
  readonly description: string | undefined
  readonly unit: string
  readonly kind: MetricKind
  readonly isDelta: boolean
}

/** Interval of a count, in seconds since 1970-01-01T00:00:00Z. */
export interface Interval {
  readonly start: number
  readonly end: number
}

const metrics: Field = { number: 2, name: 'metrics', isRepeated: true }

/** `opentelemetry.proto.metrics.v1.Metric`. */
const metricFields = {
  name: { number: 1, name: 'name' },
  description: { number: 2, name: 'description' },
  unit: { number: 3, name: 'unit' },
  gauge: { number: 5, name: 'gauge' },
  sum: { number: 7, name: 'sum' },
  histogram: { number: 9, name: 'histogram' },
  exponential: { number: 10, name: 'exponentialHistogram' },
} as const satisfies Record<string, Field>

/** `Gauge`, `Sum`, `Histogram` and `ExponentialHistogram`. */
const dataFields = {
  points: { number: 1, name: 'dataPoints', isRepeated: true },
  temporality: { number: 2, name: 'aggregationTemporality' },
  isMonotonic: { number: 3, name: 'isMonotonic' },
} as const satisfies Record<string, Field>

const delta = 1
const cumulative = 2

/** `NumberDataPoint`. */
const numberFields = {
  attributes: { number: 7, name: 'attributes', isRepeated: true },
  startTime: { number: 2, name: 'startTimeUnixNano' },
  time: { number: 3, name: 'timeUnixNano' },
  value: { number: 4, name: 'asDouble' },
  exemplars: { number: 5, name: 'exemplars', isRepeated: true },
} as const satisfies Record<string, Field>

/** `HistogramDataPoint`. */
const histogramFields = {
  attributes: { number: 9, name: 'attributes', isRepeated: true },
  startTime: { number: 2, name: 'startTimeUnixNano' },
  time: { number: 3, name: 'timeUnixNano' },
  count: { number: 4, name: 'count' },
  sum: { number: 5, name: 'sum' },
  bucketCounts: { number: 6, name: 'bucketCounts' },
  bounds: { number: 7, name: 'explicitBounds' },
  exemplars: { number: 8, name: 'exemplars', isRepeated: true },
} as const satisfies Record<string, Field>

/** `ExponentialHistogramDataPoint`. */
const exponentialFields = {
  attributes: { number: 1, name: 'attributes', isRepeated: true },
  startTime: { number: 2, name: 'startTimeUnixNano' },
  time: { number: 3, name: 'timeUnixNano' },
  count: { number: 4, name: 'count' },
  sum: { number: 5, name: 'sum' },
  scale: { number: 6, name: 'scale' },
  zeroCount: { number: 7, name: 'zeroCount' },
  positive: { number: 8, name: 'positive' },
  exemplars: { number: 11, name: 'exemplars', isRepeated: true },
} as const satisfies Record<string, Field>

const bucketFields = {
  offset: { number: 1, name: 'offset' },
  counts: { number: 2, name: 'bucketCounts' },
} as const satisfies Record<string, Field>

/** A metric whose data points are being written. */
export interface OpenMetric {
  readonly metric: number
  readonly data: number
  readonly descriptor: MetricDescriptor
}

export function beginMetric(out: MessageWriter, descriptor: MetricDescriptor): OpenMetric {
  const { name, description, unit, kind } = descriptor
  const metric = out.begin(metrics)
  out.string(metricFields.name, name)
  if (description) out.string(metricFields.description, description)
  if (unit !== '') out.string(metricFields.unit, unit)
  return { metric, data: out.begin(metricFields[kind]), descriptor }
}

export function endMetric(out: MessageWriter, { metric, data, descriptor: { kind, isDelta } }: OpenMetric): void {
  if (kind !== 'gauge') out.uint32(dataFields.temporality, isDelta ? delta : cumulative)
  if (kind === 'sum') out.bool(dataFields.isMonotonic, true)
  out.end(data)
  out.end(metric)
}

/** Writes the data point of a gauge; `quantile` is an additional attribute. */
export function writeGauge(out: MessageWriter, id: MeterId, value: number, end: number, quantile?: number): void {
  const token = out.begin(dataFields.points)
  writeTags(out, numberFields.attributes, id)
  if (quantile !== undefined) writeAttribute(out, numberFields.attributes, 'quantile', String(quantile))
  writeInterval(out, numberFields, { start: end, end })
  out.double(numberFields.value, value)
  out.end(token)
}

/** Writes the data point of a counter, timer, summary or function timer. */
export function writeCounted(out: MessageWriter, snapshot: CountedSnapshot, interval: Interval): void {
  const token = out.begin(dataFields.points)
  if (snapshot.kind === 'counter') {
    const { id, value, exemplar } = snapshot
    writeTags(out, numberFields.attributes, id)
    writeInterval(out, numberFields, interval)
    out.double(numberFields.value, value)
    writeExemplar(out, numberFields.exemplars, exemplar, interval.start)
  } else if (snapshot.kind !== 'functionTimer' && snapshot.exponential !== undefined) {
    writeTotals(out, exponentialFields, snapshot, interval)
    writeBuckets(out, snapshot.exponential)
    writeExemplars(out, exponentialFields.exemplars, snapshot, interval)
  } else {
    writeTotals(out, histogramFields, snapshot, interval)
    const { bounds, counts } = bucketsOf(snapshot)
    out.fixed64s(histogramFields.bucketCounts, counts)
    if (bounds.length > 0) out.doubles(histogramFields.bounds, bounds)
    writeExemplars(out, histogramFields.exemplars, snapshot, interval)
  }
  out.end(token)
}

type Recorded = Exclude<CountedSnapshot, { readonly kind: 'counter' }>

function writeTotals(
  out: MessageWriter,
  fields: typeof histogramFields | typeof exponentialFields,
  { id, count, total }: Recorded,
  interval: Interval,
): void {
  writeTags(out, fields.attributes, id)
  writeInterval(out, fields, interval)
  out.fixed64(fields.count, count)
  out.double(fields.sum, total)
}

/** Without buckets, one bucket has everything. */
function bucketsOf(snapshot: Recorded): { readonly bounds: readonly number[]; readonly counts: readonly number[] } {
  const buckets = snapshot.kind === 'functionTimer' ? undefined : snapshot.buckets
  return buckets ?? { bounds: [], counts: [snapshot.count] }
}

function writeBuckets(out: MessageWriter, { scale, zeroCount, offset, counts }: ExponentialSnapshot): void {
  out.sint32(exponentialFields.scale, scale)
  out.fixed64(exponentialFields.zeroCount, zeroCount)
  const token = out.begin(exponentialFields.positive)
  out.sint32(bucketFields.offset, offset)
  out.uint64s(bucketFields.counts, counts)
  out.end(token)
}

function writeTags(out: MessageWriter, field: Field, { tags }: MeterId): void {
  for (const { key, value } of tags) writeAttribute(out, field, key, attributeValue(key, value))
}

function writeInterval(
  out: MessageWriter,
  { startTime, time }: { readonly startTime: Field; readonly time: Field },
  { start, end }: Interval,
): void {
  writeTime(out, startTime, start * 1_000)
  writeTime(out, time, end * 1_000)
}

function writeExemplars(out: MessageWriter, field: Field, snapshot: Recorded, { start }: Interval): void {
  if (snapshot.kind === 'functionTimer' || snapshot.exemplars === undefined) return
  for (const exemplar of snapshot.exemplars) writeExemplar(out, field, exemplar, start)
}
