import type { MetricProducer } from '@opentelemetry/sdk-metrics'
import { type Clock, systemClock } from '../../base/clock.ts'
import { packageVersion } from '../../base/package-version.ts'
import { nextTurn } from '../../base/timers.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { createMetricCollector } from './metric-data.ts'
import { type CumulativeOrDelta, cumulative } from './temporality.ts'

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
export function createMetricProducer(
  source: SnapshotSource,
  { clock = systemClock }: MetricProducerOptions = {},
): MetricProducer {
  return createProducer(source, clock, cumulative())
}

/** How long collection may block the event loop at once, in milliseconds. */
const sliceMilliseconds = 5

/** Timeout of refreshing a source, in milliseconds. */
const refreshMilliseconds = 5_000

export function createProducer(source: SnapshotSource, clock: Clock, temporality: CumulativeOrDelta): MetricProducer {
  return {
    async collect() {
      const errors: unknown[] = []
      const collector = createMetricCollector({ ...temporality, now: clock.wallTime() / 1_000 })
      try {
        await refresh(source)
        let began = clock.monotonicTime()
        for (const slice of source.slices()) {
          for (const snapshot of slice) collector.add(snapshot)
          if (clock.monotonicTime() - began < sliceMilliseconds) continue
          await nextTurn()
          began = clock.monotonicTime()
        }
      } catch (error) {
        errors.push(error)
      }
      const metrics = [...collector.metrics]
      // A scope without metrics would be exported as well.
      const scopeMetrics = metrics.length === 0 ? [] : [{ scope: { name: 'upkeep', version: packageVersion }, metrics }]
      return { errors, resourceMetrics: { resource: noResource, scopeMetrics } }
    },
  }
}

/** Refreshes a source; one that hangs is read without. */
async function refresh(source: SnapshotSource): Promise<void> {
  const refreshing = source.refresh?.()
  if (refreshing === undefined) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, refreshMilliseconds)
  })
  await Promise.race([refreshing, late])
  clearTimeout(timer)
}

/** Ignored: the provider sets the resource. */
const noResource: Awaited<ReturnType<MetricProducer['collect']>>['resourceMetrics']['resource'] = {
  attributes: {},
  merge: (other) => other ?? noResource,
  getRawAttributes: () => [],
}
