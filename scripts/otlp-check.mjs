// Exports metrics and traces by the installed package, from ESM and from CommonJS, to a receiver that decodes them. Run
// by scripts/matrix/opentelemetry.mjs, in a folder where upkeep is installed: node check.mjs missing, then node check.mjs
// <line>
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const [line] = process.argv.slice(2)

if (line === 'missing') {
  const [{ createMeterRegistry }, { startTelemetry }] = [await import('upkeep/metrics'), await import('upkeep/otlp')]
  const management = { meters: createMeterRegistry() }
  await assert.rejects(startTelemetry({ management, exporter: 'opentelemetry' }), ({ message }) => {
    console.log(message)
    return /^startTelemetry requires @opentelemetry\/\S+, which is not installed\. Install it: npm install /.test(
      message,
    )
  })
} else {
  const { version } = JSON.parse(
    readFileSync(new URL('node_modules/@opentelemetry/core/package.json', import.meta.url)),
  )
  assert.equal(version.split('.')[0], line, 'the line that was asked for')
  const counts = [
    await exports(
      'ESM',
      await import('upkeep'),
      await import('upkeep/node'),
      await import('upkeep/otlp'),
      await import('@opentelemetry/api'),
    ),
    await exports(
      'CommonJS',
      require('upkeep'),
      require('upkeep/node'),
      require('upkeep/otlp'),
      require('@opentelemetry/api'),
    ),
  ]
  console.log(`${version} on Node ${process.version}, ESM and CommonJS, ${counts.join(' and ')} metrics and spans`)
}

async function exports(format, { createManagement }, { observe }, { startTelemetry }, { trace }) {
  const { MockOtlpServer } = require('@elastic/mockotlpserver')
  const traces = []
  const metrics = []
  const plain = (message) => JSON.parse(JSON.stringify(message))
  const server = new MockOtlpServer({
    services: ['http'],
    httpHostname: '127.0.0.1',
    httpPort: 0,
    logLevel: 'error',
    onTrace: (message) => traces.push(plain(message)),
    onMetrics: (message) => metrics.push(plain(message)),
  })
  await server.start()
  const management = createManagement({ application: { name: 'check' } })
  const telemetry = await startTelemetry({
    exporter: 'opentelemetry',
    management,
    url: String(server.httpUrl),
    compression: 'none',
    metrics: { temporality: 'delta' },
    report: (message, cause) => assert.fail(`${format}: ${message} ${cause}`),
  })
  management.meters.counter('orders.placed', { region: 'eu' }).increment(2)
  management.meters.timer('feed', {}, { slo: [1] }).record(0.5)
  management.meters.timer('exact', {}, { exponential: true }).record(0.5)
  trace.getTracer('the application').startActiveSpan('order', (parent) => {
    trace.getTracer('the application').startSpan('query').end()
    parent.end()
  })
  await request(observe(management, { route: () => '/orders/:id' }), trace)
  await telemetry.flush()
  await telemetry.shutdown()
  management.close()
  await server.close()

  const all = metrics.flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
  )
  const named = (name) => all.find((metric) => metric.name === name)
  assert.equal(named('orders.placed').sum.dataPoints[0].asDouble, 2, format)
  assert.deepEqual(named('feed').histogram.dataPoints[0].explicitBounds, [1], format)
  assert.equal(named('exact').exponentialHistogram.dataPoints[0].sum, 0.5, format)
  assert.ok(named('jvm.memory.used'), format)
  const spans = traces.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
  const [parent, child] = ['order', 'query'].map((name) => spans.find((span) => span.name === name))
  assert.deepEqual(child.parentSpanId, parent.spanId, format)
  assert.deepEqual(child.traceId, parent.traceId, format)
  const [served, inner] = ['GET /orders/:id', 'inner'].map((name) => spans.find((span) => span.name === name))
  assert.equal(hex(served.traceId), '1'.repeat(32), format)
  assert.equal(hex(served.parentSpanId), '2'.repeat(16), format)
  assert.deepEqual(inner.parentSpanId, served.spanId, format)
  assert.equal(named('http.server.requests').histogram.dataPoints[0].sum > 0, true, format)
  const exported = (signal) => management.meters.counter('otlp.exported', { signal }).value
  assert.equal(exported('traces'), 4, format)
  assert.ok(exported('metrics') > 10, format)
  return `${all.length} + ${spans.length}`
}

/** One that brings a trace along, to a service that is observed and starts a span by OpenTelemetry's API. */
async function request(observed, trace) {
  const service = createServer((req, res) =>
    observed(req, res, () => {
      trace.getTracer('the application').startSpan('inner').end()
      res.end('ok')
    }),
  )
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
  const response = await fetch(`http://127.0.0.1:${service.address().port}/orders/7`, { headers: { traceparent } })
  await response.text()
  service.closeAllConnections()
  service.close()
  await once(service, 'close')
}

/** Bytes as the receiver hands them on: as text, or in one of the ways that JSON knows. */
function hex(bytes) {
  if (typeof bytes === 'string')
    return /^[0-9a-f]{16,32}$/.test(bytes) ? bytes : Buffer.from(bytes, 'base64').toString('hex')
  return Buffer.from(bytes.data ?? Object.values(bytes)).toString('hex')
}
