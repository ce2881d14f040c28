import type { Exemplar, ExponentialSnapshot } from '../../metrics/snapshot.ts'
import type { MetricKind } from '../metrics/map-snapshot.ts'
import type { CountedSnapshot } from '../metrics/temporality.ts'
import { writeAttribute } from './encode-attributes.ts'
import { type Field, isSpanId, isTraceId, type MessageWriter, writeTime } from './message-writer.ts'
import type { SliceTags } from './slice-tags.ts'

/** What the data points of a metric have in common. */
export interface MetricDescriptor {
  readonly name: string
  readonly description: string | undefined
  readonly unit: string
  readonly kind: MetricKind
  readonly isDelta: boolean
}

/** The tags of the series of a data point. */
interface SeriesTags {
  readonly slice: SliceTags
  /** Of the series in the slice. */
  readonly index: number
}

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
export function writeGauge(
  out: MessageWriter,
  series: SeriesTags,
  value: number,
  end: number,
  quantile?: number,
): void {
  const token = out.begin(dataFields.points)
  series.slice.write(out, numberFields.attributes, series.index)
  if (quantile !== undefined) writeAttribute(out, numberFields.attributes, 'quantile', String(quantile))
  writeInterval(out, numberFields, end, end)
  out.double(numberFields.value, value)
  out.end(token)
}

/**
 * Writes the data point of a counter, timer, summary or function timer, from `start` to `end`, in seconds since
 * 1970-01-01T00:00:00Z.
 */
export function writeCounted(
  out: MessageWriter,
  series: SeriesTags,
  snapshot: CountedSnapshot,
  start: number,
  end: number,
): void {
  const token = out.begin(dataFields.points)
  if (snapshot.kind === 'counter') {
    const { value, exemplar } = snapshot
    series.slice.write(out, numberFields.attributes, series.index)
    writeInterval(out, numberFields, start, end)
    out.double(numberFields.value, value)
    writeExemplar(out, numberFields.exemplars, exemplar, start)
  } else if (snapshot.kind !== 'functionTimer' && snapshot.exponential !== undefined) {
    series.slice.write(out, exponentialFields.attributes, series.index)
    writeTotals(out, exponentialFields, snapshot, start, end)
    writeBuckets(out, snapshot.exponential)
    writeExemplars(out, exponentialFields.exemplars, snapshot, start)
  } else {
    series.slice.write(out, histogramFields.attributes, series.index)
    writeTotals(out, histogramFields, snapshot, start, end)
    const { bounds, counts } = bucketsOf(snapshot)
    out.fixed64s(histogramFields.bucketCounts, counts)
    if (bounds.length > 0) out.doubles(histogramFields.bounds, bounds)
    writeExemplars(out, histogramFields.exemplars, snapshot, start)
  }
  out.end(token)
}

type Recorded = Exclude<CountedSnapshot, { readonly kind: 'counter' }>

function writeTotals(
  out: MessageWriter,
  fields: typeof histogramFields | typeof exponentialFields,
  { count, total }: Recorded,
  start: number,
  end: number,
): void {
  writeInterval(out, fields, start, end)
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

/** `start` and `end` are in seconds since 1970-01-01T00:00:00Z. */
function writeInterval(
  out: MessageWriter,
  { startTime, time }: { readonly startTime: Field; readonly time: Field },
  start: number,
  end: number,
): void {
  writeTime(out, startTime, start * 1_000)
  writeTime(out, time, end * 1_000)
}

function writeExemplars(out: MessageWriter, field: Field, snapshot: Recorded, start: number): void {
  if (snapshot.kind === 'functionTimer' || snapshot.exemplars === undefined) return
  for (const exemplar of snapshot.exemplars) writeExemplar(out, field, exemplar, start)
}

/**
 * Writes an exemplar, unless it was recorded before `start`, in seconds since 1970. An id that no trace can have is
 * omitted: applications may supply their own.
 */
function writeExemplar(out: MessageWriter, field: Field, exemplar: Exemplar | undefined, start: number): void {
  if (exemplar === undefined || exemplar.timestamp < start) return
  const token = out.begin(field)
  writeTime(out, exemplarFields.time, exemplar.timestamp * 1_000)
  out.double(exemplarFields.value, exemplar.value)
  if (isSpanId(exemplar.spanId)) out.id(exemplarFields.spanId, exemplar.spanId)
  if (isTraceId(exemplar.traceId)) out.id(exemplarFields.traceId, exemplar.traceId)
  out.end(token)
}

/** `opentelemetry.proto.metrics.v1.ScopeMetrics`. */
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

/** `opentelemetry.proto.metrics.v1.Exemplar`. */
const exemplarFields = {
  time: { number: 2, name: 'timeUnixNano' },
  value: { number: 3, name: 'asDouble' },
  spanId: { number: 4, name: 'spanId' },
  traceId: { number: 5, name: 'traceId' },
} as const satisfies Record<string, Field>
