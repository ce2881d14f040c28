import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { createDelivery } from '../delivery/delivery.ts'
import type { Exporting, SignalExport } from '../exporters.ts'
import { temporalityOf } from '../metrics/temporality.ts'
import { type MetricsSettings, metricsHint } from '../settings/signal-settings.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { createProducer } from './metric-producer.ts'
import { exporterOptions, officialSender, type ReceiverAgent } from './official-sender.ts'
import type { MetricsPeers } from './peers.ts'
import type { MetricProducer } from './sdk-metrics.ts'

/** Exports all meters of a source at an interval, with OpenTelemetry's packages. */
export function exportMetrics(
  source: SnapshotSource,
  settings: MetricsSettings,
  resource: ResourceAttributes,
  agent: ReceiverAgent,
  { metrics, exporter: { OTLPMetricExporter }, resources }: MetricsPeers,
  exporting: Exporting,
): SignalExport {
  const exporter = new OTLPMetricExporter(exporterOptions(settings, agent))
  const producer = createProducer(source, exporting.clock, temporalityOf(settings.temporality))
  const delivery = createDelivery<ResourceMetrics>({
    ...exporting,
    signal: 'metrics',
    sender: officialSender(exporter, agent),
    hint: metricsHint(settings),
    count: countPoints,
    acknowledge: producer.acknowledge,
    timeoutMilliseconds: settings.timeoutMilliseconds,
  })
  const provider = new metrics.MeterProvider({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ ...resource })),
    readers: [
      new metrics.PeriodicExportingMetricReader({
        exporter: {
          export(sent, done) {
            // Of a member of a cluster that another one exports.
            if (countPoints(sent) === 0) return done({ code: 0 })
            const deadline = exporting.clock.monotonicTime() + settings.stepMilliseconds
            void delivery.deliver(sent, deadline).then((error) => done(error ? { code: 1, error } : { code: 0 }))
          },
          forceFlush: delivery.idle,
          shutdown: () => delivery.idle().then(() => exporter.shutdown()),
        },
        exportIntervalMillis: settings.stepMilliseconds,
        exportTimeoutMillis: settings.stepMilliseconds,
        maxExportBatchSize: maxPoints,
        metricProducers: [reporting(producer, exporting)],
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

function countPoints({ scopeMetrics }: ResourceMetrics): number {
  return scopeMetrics.reduce(
    (sum, { metrics }) => metrics.reduce((points, { dataPoints }) => points + dataPoints.length, sum),
    0,
  )
}

/** Reports meters that cannot be read, which OpenTelemetry would only log to its diagnostics. */
function reporting(producer: MetricProducer, { report }: Exporting): MetricProducer {
  return {
    async collect() {
      const result = await producer.collect()
      for (const error of result.errors) report('otlp: failed to read the meters', error)
      return { ...result, errors: [] }
    },
  }
}
