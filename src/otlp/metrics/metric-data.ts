import type { AggregationTemporality, DataPoint, DataPointType, MetricData } from '@opentelemetry/sdk-metrics'
import type { DistributionSnapshot, MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { otlpUnit } from '../../prometheus/naming.ts'
import type { CountedSnapshot } from './counted.ts'
import { dataPoint, exponentialOf, histogramOf, type Interval } from './data-points.ts'

/** Returns the part of a growing snapshot that belongs to the interval. */
type Counted = (snapshot: CountedSnapshot) => { readonly snapshot: CountedSnapshot; readonly start: number } | undefined

/** Groups data points by metric: one per name, kind and unit. */
interface MetricCollector {
  add(snapshot: MeterSnapshot): void
  /** In order of first appearance. */
  readonly metrics: readonly MetricData[]
}

export interface CollectorOptions {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly now: number
  readonly isDelta: (snapshot: CountedSnapshot) => boolean
  /** Returns the value to send; `undefined` for none. */
  readonly counted: Counted
  /** Called with the data point of each snapshot. */
  readonly onPoint: (point: object, snapshot: CountedSnapshot) => void
}

type Kind = 'sum' | 'gauge' | 'histogram' | 'exponential'

// Values of enums of @opentelemetry/sdk-metrics, of which this file only imports types.
const delta = 0 satisfies AggregationTemporality.DELTA
const cumulative = 1 satisfies AggregationTemporality.CUMULATIVE
const dataPointTypes = { histogram: 0, exponential: 1, gauge: 2, sum: 3 } as const satisfies Record<Kind, DataPointType>

/** Suffixes of additional metrics for statistics that do not fit the main one. */
const beside = { max: '.max', percentile: '.percentile', active: '.active', duration: '.duration' } as const

/**
 * Converts snapshots to OTLP metrics. A counter becomes a monotonic sum. A timer, summary or function timer becomes a
 * histogram, without bounds if it has no buckets. Rolling maximum and percentiles become additional gauges, since
 * fields of a data point cover the time since its start. Long task timers become gauges, since they also decrease. A
 * gauge without a value (NaN) is omitted: receivers would store NaN or reject the whole export.
 */
export function createMetricCollector({ now, isDelta, counted, onPoint }: CollectorOptions): MetricCollector {
  const metrics = new Map<string, MetricData>()
  const moment: Interval = { start: now, end: now }

  function pointsOf(kind: Kind, id: MeterId, suffix: string, isDeltaPoint: boolean, unit = otlpUnit(id)) {
    const name = id.name + suffix
    const key = JSON.stringify([name, kind, unit])
    const known = metrics.get(key)
    if (known !== undefined) return known.dataPoints as DataPoint<unknown>[]
    const dataPoints: DataPoint<unknown>[] = []
    metrics.set(key, {
      descriptor: { name, description: id.description ?? '', unit, valueType: 1 },
      aggregationTemporality: isDeltaPoint ? delta : cumulative,
      dataPointType: dataPointTypes[kind],
      ...(kind === 'sum' ? { isMonotonic: true } : {}),
      dataPoints,
      // The kind determines the type of the value; the four callers below guarantee it.
    } as MetricData)
    return dataPoints
  }

  function addGauge(
    id: MeterId,
    suffix: string,
    value: number,
    more?: Readonly<Record<string, string>>,
    unit?: string,
  ) {
    if (!Number.isNaN(value)) pointsOf('gauge', id, suffix, false, unit).push(dataPoint(id, value, moment, more))
  }

  function addCounted(whole: CountedSnapshot): void {
    const part = counted(whole)
    if (part === undefined) return
    const { snapshot, start } = part
    const { id } = snapshot
    const interval = { start, end: now }
    const add = (kind: Kind, value: unknown) => {
      const point = dataPoint(id, value, interval)
      pointsOf(kind, id, '', isDelta(whole)).push(point)
      onPoint(point, whole)
    }
    if (snapshot.kind === 'counter') add('sum', snapshot.value)
    else if (snapshot.kind === 'functionTimer') add('histogram', histogramOf(snapshot.count, snapshot.total))
    else if (snapshot.exponential === undefined)
      add('histogram', histogramOf(snapshot.count, snapshot.total, snapshot.buckets))
    else add('exponential', exponentialOf(snapshot.count, snapshot.total, snapshot.exponential))
  }

  function addWindow({ id, max, percentiles = [] }: DistributionSnapshot): void {
    addGauge(id, beside.max, max)
    for (const { quantile, value } of percentiles)
      addGauge(id, beside.percentile, value, { quantile: String(quantile) })
  }

  return {
    add(snapshot) {
      switch (snapshot.kind) {
        case 'gauge':
          addGauge(snapshot.id, '', snapshot.value)
          break
        case 'timer':
        case 'summary':
          addCounted(snapshot)
          addWindow(snapshot)
          break
        case 'counter':
        case 'functionTimer':
          addCounted(snapshot)
          break
        case 'longTaskTimer':
          addGauge(snapshot.id, beside.active, snapshot.activeTasks, undefined, '{task}')
          addGauge(snapshot.id, beside.duration, snapshot.duration)
          addGauge(snapshot.id, beside.max, snapshot.max)
      }
    },
    get metrics() {
      return [...metrics.values()]
    },
  }
}
