import { type Clock, systemClock } from '../../base/clock.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { upkeepScope } from '../../tracing/spans/span-recorder.ts'
import { readSlices } from '../metrics/read-slices.ts'
import { type CountedSnapshot, cumulative, type Temporality } from '../metrics/temporality.ts'
import { createMetricCollector } from './metric-data.ts'
import type { CollectedPoint, CollectedResource, MetricProducer } from './sdk-metrics.ts'

/** Options of `createMetricProducer`. */
export interface MetricProducerOptions {
  /** @default system clock */
  readonly clock?: Clock | undefined
}

/**
 * Provides the meters of a registry to a `MeterProvider` of the application: `new PeriodicExportingMetricReader({
 * exporter, metricProducers: [createMetricProducer(management.meters)] })`. Counts are always cumulative: deltas would
 * require knowing whether an export arrived, as `startTelemetry` does. Never throws, never hangs.
 */
export function createMetricProducer(source: SnapshotSource, options: MetricProducerOptions = {}): MetricProducer {
  requireKnownOptions('createMetricProducer', options, ['clock'])
  const { clock = systemClock } = options
  return createProducer(source, clock, cumulative())
}

/** A producer of metrics, and what it has produced. */
interface AcknowledgedProducer extends MetricProducer {
  /** Called with delivered metrics. */
  acknowledge(sent: SentMetrics): void
}

interface SentMetrics {
  readonly scopeMetrics: readonly {
    readonly metrics: readonly { readonly dataPoints: readonly Pick<CollectedPoint<unknown>, 'endTime'>[] }[]
  }[]
}

export function createProducer(source: SnapshotSource, clock: Clock, temporality: Temporality): AcknowledgedProducer {
  const deltas = new WeakMap<object, CountedSnapshot>()
  return {
    async collect() {
      const errors: unknown[] = []
      const now = clock.wallTime() / 1_000
      const onDelta = (point: object, snapshot: CountedSnapshot) => void deltas.set(point, snapshot)
      const collector = createMetricCollector({ temporality, now, onDelta })
      try {
        for await (const slice of readSlices(source, clock)) for (const snapshot of slice) collector.add(snapshot)
      } catch (error) {
        errors.push(error)
      }
      const metrics = [...collector.metrics]
      // A scope without metrics would be exported as well.
      const scopeMetrics = metrics.length === 0 ? [] : [{ scope: upkeepScope, metrics }]
      return { errors, resourceMetrics: { resource: noResource, scopeMetrics } }
    },
    acknowledge({ scopeMetrics }) {
      for (const { metrics } of scopeMetrics) {
        for (const { dataPoints } of metrics) {
          for (const point of dataPoints) {
            const snapshot = deltas.get(point)
            const [seconds, nanoseconds] = point.endTime
            if (snapshot !== undefined) temporality.acknowledge([snapshot], seconds + nanoseconds / 1e9)
          }
        }
      }
    },
  }
}

/** Ignored: the provider sets the resource. */
const noResource: CollectedResource = {
  attributes: {},
  merge: (other) => other ?? noResource,
  getRawAttributes: () => [],
}
