import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { trace } from '@opentelemetry/api'
import { createManagement } from 'upkeep'
import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { loadOfficialExporters } from '../../../src/otlp/official/official-exporters.ts'
import { resolveSettings } from '../../../src/otlp/settings/settings.ts'
import type { MetricsSettings, TracingSettings } from '../../../src/otlp/settings/signal-settings.ts'
import { startTelemetry } from '../../../src/otlp/start-telemetry.ts'
import { listenOn } from '../../support/listen.ts'
import { decodeTraces } from '../../support/otlp/decode.ts'
import { processTracing } from '../../support/process-tracing.ts'

function createApplication() {
  const management = createManagement({ metrics: { runtime: false } })
  onTestFinished(() => management.close())
  return management
}

/** Starts a receiver of traces, and telemetry that exports to it. */
async function setUp() {
  const requests: { readonly connection: string | undefined; readonly spans: readonly string[] }[] = []
  const server = createServer(async (req, res) => {
    const { resourceSpans } = decodeTraces(await buffer(req))
    const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)
    const spans = scopes.flatMap((each) => each.spans.map(({ name }) => `${each.scope.name}: ${name}`))
    requests.push({ connection: req.headers.connection, spans })
    res.end()
  })
  const port = await listenOn(server)
  const reported: string[] = []
  const telemetry = await startTelemetry({
    ...{ management: createApplication(), exporter: 'opentelemetry', url: `http://127.0.0.1:${port}` },
    ...{ metrics: false, logs: false, report: (message: string) => void reported.push(message) },
  })
  onTestFinished(async () => {
    await telemetry.shutdown()
    server.closeAllConnections()
    server.close()
  })
  return { telemetry, reported, requests }
}

it('the connection to a receiver is kept open between exports', async () => {
  const { telemetry, requests } = await setUp()
  for (const name of ['one', 'two']) {
    processTracing()?.startSpan(name).end()
    await telemetry.flush()
  }
  expect(requests).toEqual([
    { connection: 'keep-alive', spans: ['upkeep: one'] },
    { connection: 'keep-alive', spans: ['upkeep: two'] },
  ])
})

it('a sampler that ignores callers decides on the spans of upkeep and of the API, until the shutdown', async () => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'always_on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { telemetry, reported, requests } = await setUp()
  const parent = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), flags: 0 }
  processTracing()?.startSpan('below a caller that is not sampled', { parent }).end()
  trace.getTracer('the application').startSpan('own').end()
  await telemetry.shutdown()
  expect(requests.flatMap(({ spans }) => spans)).toEqual([
    'upkeep: below a caller that is not sampled',
    'the application: own',
  ])
  expect(reported).toEqual([])
  expect(trace.getTracer('the application').startSpan('later').isRecording()).toBe(false)
})

it('a signal whose packages have not been loaded is refused', async () => {
  const exporters = await loadOfficialExporters({ traces: false, metrics: false })
  const { resource, tracing, metrics } = resolveSettings({ management: createApplication() }, {}, () => 'a')
  const sources = { clock: systemClock, readFile: () => new Uint8Array() }
  const error = expect.objectContaining({
    ...{ code: 'UPKEEP_EDELIVERY', message: 'The packages of this signal were not loaded' },
  })
  expect(() => exporters.traces(tracing as TracingSettings, resource, sources)).toThrow(error)
  expect(() => exporters.metrics(metrics as MetricsSettings, resource, sources)).toThrow(error)
})
