import type { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import type { CountedSnapshot } from '../metrics/counted.ts'
import { type MetricKind, mapSnapshot, metricName, type PointSink } from '../metrics/map-snapshot.ts'
import type { Temporality } from '../metrics/temporality.ts'
import { dataPoint, exponentialOf, histogramOf, type Interval } from './data-points.ts'
import type { CollectedMetric, CollectedPoint } from './sdk-metrics.ts'

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
