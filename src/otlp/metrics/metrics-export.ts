import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { createDelivery } from '../delivery/delivery.ts'
import { type Exporting, exporterOptions, type SignalExport } from '../delivery/exporting.ts'
import type { ReceiverAgent } from '../delivery/receiver-agent.ts'
import type { MetricsPeers } from '../peers.ts'
import type { MetricsSettings } from '../settings/metrics-settings.ts'
import { urlHint } from '../settings/receiver-url.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { createProducer } from './metric-producer.ts'
import { type CumulativeOrDelta, cumulative, deltaSinceAcknowledged } from './temporality.ts'

/** Exports all meters of a source at an interval. */
export function exportMetrics(
  source: SnapshotSource,
  settings: MetricsSettings,
  resource: ResourceAttributes,
  agent: ReceiverAgent,
  { metrics, exporter: { OTLPMetricExporter }, resources }: MetricsPeers,
  exporting: Exporting,
): SignalExport {
  const temporality = temporalityOf(settings)
  const exporter = new OTLPMetricExporter(exporterOptions(settings, agent))
  const delivery = createDelivery<ResourceMetrics>({
    ...exporting,
    signal: 'metrics',
    exporter,
    agent,
    hint: urlHint(settings.url, 'v1/metrics'),
    count: countPoints,
    acknowledge: temporality.acknowledge,
    timeoutMilliseconds: settings.timeoutMilliseconds,
    patienceMilliseconds: settings.stepMilliseconds,
  })
  const provider = new metrics.MeterProvider({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ ...resource })),
    readers: [
      new metrics.PeriodicExportingMetricReader({
        exporter: {
          export: delivery.export,
          forceFlush: delivery.idle,
          shutdown: () => delivery.idle().then(() => exporter.shutdown()),
        },
        exportIntervalMillis: settings.stepMilliseconds,
        exportTimeoutMillis: settings.stepMilliseconds,
        maxExportBatchSize: maxPoints,
        metricProducers: [reporting(createProducer(source, exporting.clock, temporality), exporting)],
      }),
    ],
  })
  return {
    flush: () => provider.forceFlush().catch(() => {}),
    async shutdown() {
      await provider.shutdown().catch(() => {})
      await delivery.idle()
      delivery.abort()
    },
    abort: delivery.abort,
  }
}

/** Maximum data points per request: about 343 bytes each if all are histograms. */
const maxPoints = 10_000

function temporalityOf({ temporality }: MetricsSettings): CumulativeOrDelta {
  switch (temporality) {
    case 'cumulative':
      return cumulative()
    case 'delta':
      return deltaSinceAcknowledged(() => true)
    case 'lowmemory':
      return deltaSinceAcknowledged(({ kind }) => kind !== 'functionTimer')
  }
}

function countPoints({ scopeMetrics }: ResourceMetrics): number {
  return scopeMetrics.reduce(
    (sum, { metrics }) => metrics.reduce((points, { dataPoints }) => points + dataPoints.length, sum),
    0,
  )
}

/** Reports meters that cannot be read, which OpenTelemetry would only log to its diagnostics. */
function reporting(
  producer: ReturnType<typeof createProducer>,
  { report }: Exporting,
): ReturnType<typeof createProducer> {
  return {
    async collect(options) {
      const result = await producer.collect(options)
      for (const error of result.errors) report('otlp: failed to read the meters', error)
      return { ...result, errors: [] }
    },
  }
}
