import type { BucketsSnapshot, Exemplar, MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'

/** One metric as prom-client and @prometheus-io/client return it. */
export interface ClientMetric {
  readonly name: string
  readonly help?: string
  readonly type: unknown
  readonly values?: readonly ClientValue[]
}

interface ClientValue {
  /** For a histogram or a summary: the name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string
  readonly labels?: Readonly<Record<string, unknown>>
  readonly value: number
  readonly exemplar?: ClientExemplar | null
}

interface ClientExemplar {
  readonly labelSet?: Readonly<Record<string, unknown>>
  readonly value?: number
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp?: number
}

/** A registry of prom-client or @prometheus-io/client. */
export interface ClientRegistry {
  getMetricsAsJSON(): Promise<readonly unknown[]>
}

/** Returns the id of a series of a metric: the same object for the same labels. */
type IdOf = (metric: ClientMetric, labels: Readonly<Record<string, unknown>>) => MeterId

/** Returns the series of a metric as snapshots; none if its type is unknown. */
export function readMetric(metric: ClientMetric, idOf: IdOf): readonly MeterSnapshot[] {
  const values = metric.values ?? []
  switch (metric.type) {
    case 'counter':
      return values.map(({ labels = {}, value, exemplar }) => ({
        kind: 'counter',
        id: idOf(metric, labels),
        value,
        created: Number.NaN,
        exemplar: readExemplar(exemplar),
      }))
    case 'gauge':
      return values.map(({ labels = {}, value }) => ({ kind: 'gauge', id: idOf(metric, labels), value }))
    case 'histogram':
      return readSeries(metric, 'le', idOf).map(({ id, parts, sum, count }) => ({
        ...distributionOf(id, sum, count),
        ...bucketsOf(parts, count),
        percentiles: undefined,
      }))
    case 'summary':
      return readSeries(metric, 'quantile', idOf).map(({ id, parts, sum, count }) => ({
        ...distributionOf(id, sum, count),
        percentiles: parts.map(({ at, value }) => ({ quantile: at, value })),
        buckets: undefined,
        exemplars: undefined,
      }))
    default:
      return []
  }
}

interface Part {
  /** A bound, or a quantile. */
  readonly at: number
  readonly value: number
  readonly exemplar: Exemplar | undefined
}

interface Distributed {
  readonly id: MeterId
  /** Ascending. */
  readonly parts: Part[]
  sum: number
  count: number
}

/** Collects the several values of each series of a histogram or a summary. */
function readSeries(metric: ClientMetric, label: 'le' | 'quantile', idOf: IdOf): readonly Distributed[] {
  const byId = new Map<MeterId, Distributed>()
  for (const { labels = {}, metricName, value, exemplar } of metric.values ?? []) {
    const { [label]: at, ...own } = labels
    const id = idOf(metric, own)
    const series = byId.get(id) ?? { id, parts: [], sum: 0, count: 0 }
    byId.set(id, series)
    if (at !== undefined) {
      const bound = at === '+Inf' ? Number.POSITIVE_INFINITY : Number(at)
      series.parts.push({ at: bound, value, exemplar: readExemplar(exemplar) })
    } else if (metricName?.endsWith('_sum')) series.sum = value
    else if (metricName?.endsWith('_count')) series.count = value
  }
  for (const { parts } of byId.values()) parts.sort((one, other) => one.at - other.at)
  return [...byId.values()]
}

/** The clients do not report the start and the maximum. */
function distributionOf(id: MeterId, total: number, count: number) {
  return { kind: 'summary', id, count, total, max: Number.NaN, exponential: undefined, created: Number.NaN } as const
}

/** Converts cumulative counts. */
function bucketsOf(parts: readonly Part[], count: number) {
  const finite = parts.filter(({ at }) => Number.isFinite(at))
  const counts: number[] = []
  let below = 0
  for (const { value } of finite) {
    // The clients count wrongly if bounds are not ascending; even then, no count may be negative.
    counts.push(Math.max(0, value - below))
    below = Math.max(below, value)
  }
  counts.push(Math.max(0, count - below))
  const buckets: BucketsSnapshot = { bounds: finite.map(({ at }) => at), counts }
  const exemplars = parts.map(({ exemplar }) => exemplar)
  return { buckets, exemplars: exemplars.some((one) => one !== undefined) ? exemplars : undefined }
}

function readExemplar(exemplar: ClientExemplar | null | undefined): Exemplar | undefined {
  const { labelSet = {}, value, timestamp } = exemplar ?? {}
  const traceId = labelSet['traceId'] ?? labelSet['trace_id']
  const spanId = labelSet['spanId'] ?? labelSet['span_id']
  if (typeof traceId !== 'string' || typeof spanId !== 'string' || value === undefined) return undefined
  return { value, traceId, spanId, timestamp: timestamp ?? Number.NaN }
}
