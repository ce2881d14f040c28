import { MockOtlpServer } from '@elastic/mockotlpserver'
import { createMeterRegistry } from 'upkeep/metrics'
import { startTelemetry } from 'upkeep/otlp'
import { expect, it } from 'vitest'
import { exporters } from '../support/otlp/telemetry.ts'
import { processTracing } from '../support/process-tracing.ts'

it.each(exporters)('mock-otlp-server, an independent implementation, accepts the export of %s', async (exporter) => {
  const traces: unknown[] = []
  const metrics: unknown[] = []
  const server = new MockOtlpServer({
    services: ['http'],
    httpHostname: '127.0.0.1',
    httpPort: 0,
    logLevel: 'error',
    onTrace: (trace: unknown) => traces.push(JSON.parse(JSON.stringify(trace))),
    onMetrics: (metric: unknown) => metrics.push(JSON.parse(JSON.stringify(metric))),
  })
  await server.start()
  const meters = createMeterRegistry()
  const telemetry = await startTelemetry({
    management: { meters },
    exporter,
    application: { name: 'orders' },
    url: String(server.httpUrl),
  })
  meters.counter('orders.placed').increment(2)
  meters.timer('t', {}, { slo: [1], percentiles: [0.5] }).record(0.5)
  meters.timer('e', {}, { exponential: true }).record(0.5)
  const span = processTracing()?.startSpan('order', { kind: 'server' })
  span?.end()
  await telemetry.shutdown()
  await server.close()
  expect(traces).toMatchObject([
    { resourceSpans: [{ scopeSpans: [{ scope: { name: 'upkeep' }, spans: [{ name: 'order' }] }] }] },
  ])
  const attributes = { attributes: expect.arrayContaining([{ key: 'service.name', value: { stringValue: 'orders' } }]) }
  expect(metrics).toMatchObject([{ resourceMetrics: [{ resource: attributes }] }])
  const [{ resourceMetrics }] = metrics as [{ resourceMetrics: { scopeMetrics: { metrics: { name: string }[] }[] }[] }]
  const received = new Map(resourceMetrics[0]?.scopeMetrics[0]?.metrics.map((metric) => [metric.name, metric]))
  expect(received.get('orders.placed')).toMatchObject({ sum: { dataPoints: [{ asDouble: 2 }], isMonotonic: true } })
  expect(received.get('t')).toMatchObject({ unit: 's', histogram: { dataPoints: [{ explicitBounds: [1], sum: 0.5 }] } })
  expect(received.get('e')).toMatchObject({ exponentialHistogram: { dataPoints: [{ sum: 0.5, scale: 8 }] } })
  expect(received.get('t.max')).toMatchObject({ gauge: { dataPoints: [{ asDouble: 0.5 }] } })
})
