import type { DistributionSnapshot, MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { otlpUnit } from '../../prometheus/naming.ts'
import type { CountedSnapshot, Temporality } from './temporality.ts'

/** The kinds of OTLP metrics that upkeep exports. */
export type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponential'

/** Receives the data points of snapshots. */
export interface PointSink {
  /** `suffix` and `unit` override those of the id; `quantile` is an additional attribute. */
  gauge(id: MeterId, suffix: string, value: number, quantile?: number, unit?: string): void
  /** `part` is what belongs to the interval since `start`, in seconds since 1970-01-01T00:00:00Z, of `whole`. */
  counted(kind: MetricKind, part: CountedSnapshot, start: number, whole: CountedSnapshot): void
}

/** Suffixes of additional metrics for statistics that do not fit the main one. */
const beside = { max: '.max', percentile: '.percentile', active: '.active', duration: '.duration' } as const

/**
 * Maps a snapshot to OTLP data points. A counter becomes a monotonic sum. A timer, summary or function timer becomes a
 * histogram, without bounds if it has no buckets. Rolling maximum and percentiles become additional gauges, since
 * fields of a data point cover the time since its start. Long task timers become gauges, since they also decrease. A
 * gauge without a value (NaN) is omitted: receivers would store NaN or reject the whole export.
 */
export function mapSnapshot(snapshot: MeterSnapshot, temporality: Temporality, sink: PointSink): void {
  switch (snapshot.kind) {
    case 'gauge':
      mapGauge(sink, snapshot.id, '', snapshot.value)
      break
    case 'timer':
    case 'summary':
      mapCounted(snapshot, temporality, sink)
      mapWindow(snapshot, sink)
      break
    case 'counter':
    case 'functionTimer':
      mapCounted(snapshot, temporality, sink)
      break
    case 'longTaskTimer':
      mapGauge(sink, snapshot.id, beside.active, snapshot.activeTasks, undefined, '{task}')
      mapGauge(sink, snapshot.id, beside.duration, snapshot.duration)
      mapGauge(sink, snapshot.id, beside.max, snapshot.max)
  }
}

/** Returns the name and the unit of a metric. */
export function metricName(
  id: MeterId,
  suffix: string,
  unit?: string,
): { readonly name: string; readonly unit: string } {
  return { name: id.name + suffix, unit: unit ?? otlpUnit(id) }
}

function mapCounted(whole: CountedSnapshot, temporality: Temporality, sink: PointSink): void {
  const part = temporality.counted(whole)
  if (part === undefined) return
  const snapshot = withOneKindOfBuckets(part.snapshot)
  sink.counted(kindOf(snapshot), snapshot, part.start, whole)
}

/** Of both kinds of buckets, those are sent that every receiver understands. */
function withOneKindOfBuckets(snapshot: CountedSnapshot): CountedSnapshot {
  const isBoth = 'exponential' in snapshot && snapshot.exponential !== undefined && snapshot.buckets !== undefined
  return isBoth ? { ...snapshot, exponential: undefined } : snapshot
}

function kindOf(snapshot: CountedSnapshot): MetricKind {
  if (snapshot.kind === 'counter') return 'sum'
  return snapshot.kind === 'functionTimer' || snapshot.exponential === undefined ? 'histogram' : 'exponential'
}

function mapWindow({ id, max, percentiles }: DistributionSnapshot, sink: PointSink): void {
  mapGauge(sink, id, beside.max, max)
  if (percentiles === undefined) return
  for (const { quantile, value } of percentiles) mapGauge(sink, id, beside.percentile, value, quantile)
}

function mapGauge(sink: PointSink, id: MeterId, suffix: string, value: number, quantile?: number, unit?: string): void {
  if (!Number.isNaN(value)) sink.gauge(id, suffix, value, quantile, unit)
}
