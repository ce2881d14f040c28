import type { MetricProducer } from '@opentelemetry/sdk-metrics'
import { type Clock, systemClock } from '../../base/clock.ts'
import { packageVersion } from '../../base/package-version.ts'
import { nextTurn } from '../../base/timers.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { createMetricCollector } from './metric-data.ts'
import { type CumulativeOrDelta, cumulative } from './temporality.ts'

export interface MetricProducerOptions {
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * The meters of a registry for a `MeterProvider` of the application's own:
 * `new PeriodicExportingMetricReader({ exporter, metricProducers: [createMetricProducer(management.meters)] })`.
 * Counts are cumulative, whatever the exporter prefers: only who learns that an export arrived can send differences without
 * losing any, as `startTelemetry` does. Never throws, never hangs.
 */
export function createMetricProducer(
  source: SnapshotSource,
  { clock = systemClock }: MetricProducerOptions = {},
): MetricProducer {
  return createProducer(source, clock, cumulative())
}

/** How long an event loop may be kept busy in one go, in milliseconds. */
const sliceMilliseconds = 5

/** How long a source may take to bring itself up to date. */
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
      // A scope without metrics would be sent all the same.
      const scopeMetrics = metrics.length === 0 ? [] : [{ scope: { name: 'upkeep', version: packageVersion }, metrics }]
      return { errors, resourceMetrics: { resource: noResource, scopeMetrics } }
    },
  }
}

/** Brings a source up to date; one that hangs is read as it was before. */
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

/** Not looked at: the resource is that of the provider. */
const noResource: Awaited<ReturnType<MetricProducer['collect']>>['resourceMetrics']['resource'] = {
  attributes: {},
  merge: (other) => other ?? noResource,
  getRawAttributes: () => [],
}
