import type { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { BucketsSnapshot, ExponentialSnapshot, MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { attributeValue } from '../encoding/slice-tags.ts'
import { type MetricKind, mapSnapshot, metricName, type PointSink } from '../metrics/map-snapshot.ts'
import type { CountedSnapshot, Temporality } from '../metrics/temporality.ts'
import type {
  CollectedExponentialHistogram,
  CollectedHistogram,
  CollectedMetric,
  CollectedPoint,
} from './sdk-metrics.ts'

/** Groups data points by metric: one per name, kind and unit. */
interface MetricCollector {
  add(snapshot: MeterSnapshot): void
  /** In order of first appearance. */
  readonly metrics: readonly CollectedMetric[]
}

interface CollectorOptions {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly now: number
  readonly temporality: Temporality
  /** Called with the data point of each snapshot whose counts are deltas. */
  readonly onDelta: (point: object, snapshot: CountedSnapshot) => void
}

// Values of enums of @opentelemetry/sdk-metrics, of which this file only imports types.
const delta = 0 satisfies AggregationTemporality.DELTA
const cumulative = 1 satisfies AggregationTemporality.CUMULATIVE
const dataPointTypes = { histogram: 0, exponential: 1, gauge: 2, sum: 3 } as const satisfies Record<
  MetricKind,
  DataPointType
>

/** Collects snapshots as metrics of OpenTelemetry's SDK. */
export function createMetricCollector({ now, temporality, onDelta }: CollectorOptions): MetricCollector {
  const metrics = new Map<string, CollectedMetric>()
  const moment: Interval = { start: now, end: now }

  function pointsOf(kind: MetricKind, id: MeterId, suffix: string, isDeltaPoint: boolean, ownUnit?: string) {
    const { name, unit } = metricName(id, suffix, ownUnit)
    const key = JSON.stringify([name, kind, unit])
    const known = metrics.get(key)
    if (known !== undefined) return known.dataPoints as CollectedPoint<unknown>[]
    const dataPoints: CollectedPoint<unknown>[] = []
    metrics.set(key, {
      descriptor: { name, description: id.description ?? '', unit, valueType: 1 },
      aggregationTemporality: isDeltaPoint ? delta : cumulative,
      dataPointType: dataPointTypes[kind],
      ...(kind === 'sum' ? { isMonotonic: true } : {}),
      dataPoints,
      // The kind determines the type of the value; the sink below guarantees it.
    } as CollectedMetric)
    return dataPoints
  }

  const sink: PointSink = {
    gauge(id, suffix, value, quantile, unit) {
      const more = quantile === undefined ? {} : { quantile: String(quantile) }
      pointsOf('gauge', id, suffix, false, unit).push(dataPoint(id, value, moment, more))
    },
    counted(kind, part, start, whole) {
      const isDelta = temporality.isDelta(whole)
      const point = dataPoint(part.id, pointValue(part), { start, end: now })
      pointsOf(kind, part.id, '', isDelta).push(point)
      if (isDelta) onDelta(point, whole)
    },
  }

  return {
    add: (snapshot) => mapSnapshot(snapshot, temporality, sink),
    get metrics() {
      return [...metrics.values()]
    },
  }
}

function pointValue(snapshot: CountedSnapshot): unknown {
  if (snapshot.kind === 'counter') return snapshot.value
  const { count, total } = snapshot
  if (snapshot.kind === 'functionTimer') return histogramOf(count, total)
  return snapshot.exponential === undefined
    ? histogramOf(count, total, snapshot.buckets)
    : exponentialOf(count, total, snapshot.exponential)
}

/** Interval of a count, in seconds since 1970-01-01T00:00:00Z. */
interface Interval {
  readonly start: number
  readonly end: number
}

function dataPoint<T>(
  id: MeterId,
  value: T,
  { start, end }: Interval,
  more: Readonly<Record<string, string>> = {},
): CollectedPoint<T> {
  return { startTime: hrTime(start), endTime: hrTime(end), attributes: { ...attributesOf(id), ...more }, value }
}

/** Returns bucket counts; a single bucket without bounds. */
function histogramOf(
  count: number,
  sum: number,
  { bounds, counts }: BucketsSnapshot = { bounds: [], counts: [count] },
): CollectedHistogram {
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count }
}

function exponentialOf(
  count: number,
  sum: number,
  { scale, zeroCount, offset, counts }: ExponentialSnapshot,
): CollectedExponentialHistogram {
  return {
    count,
    sum,
    scale,
    zeroCount,
    positive: { offset, bucketCounts: [...counts] },
    negative: { offset: 0, bucketCounts: [] },
  }
}

function attributesOf({ tags }: MeterId): Record<string, string | number> {
  const attributes: Record<string, string | number> = {}
  for (const { key, value } of tags) attributes[key] = attributeValue(key, value)
  return attributes
}

/** Returns whole seconds and remaining nanoseconds. */
function hrTime(seconds: number): [seconds: number, nanoseconds: number] {
  const whole = Math.floor(seconds)
  return [whole, Math.round((seconds - whole) * 1e6) * 1_000]
}
