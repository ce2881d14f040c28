// What tracing adds to a request, beside the official instrumentation of OpenTelemetry and a middleware by hand:
// `node bench/tracing.mjs`.
//
// Measured as in observe.mjs: in one process, over no network, against the same application with an empty middleware,
// the median over the rounds of the difference inside a round. Spans go to a BatchSpanProcessor whose exporter forgets
// them. OpenTelemetry is that line of it which supports the Node that runs this.
import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { load, missed, report } from './harness.mjs'
import { openTelemetry } from './open-telemetry.mjs'
import { added, answer, empty, expressApp, koaApp, nodeRoute, requests, rounds } from './requests.mjs'

const newest = Number(process.versions.node.split('.')[0]) >= 24
const { require, version } = openTelemetry(newest ? 3 : 2)
const { context, propagation, SpanKind, trace } = require('@opentelemetry/api')
const { W3CTraceContextPropagator } = require('@opentelemetry/core')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { defaultResource } = require('@opentelemetry/resources')
const { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } =
  require('@opentelemetry/sdk-metrics')
const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
  require('@opentelemetry/sdk-trace')

const { createManagement } = await load('upkeep')
const core = await load('bench/tracing-parts.ts')
const adapters = {
  express: await load('upkeep/express'),
  koa: await load('upkeep/koa'),
  node: await load('upkeep/node'),
}

let exported = 0
const forget = {
  export(spans, done) {
    exported += spans.length
    done({ code: 0 })
  },
  shutdown: async () => {},
}
const processor = new BatchSpanProcessor({ exporter: forget, maxQueueSize: 100_000 })
function provide(sampler) {
  return new TracerProvider({ sampler, spanProcessors: [processor] })
}

context.setGlobalContextManager(core.createContextManager())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
const tracings = Object.fromEntries(
  [0, 1].map((probability) => [
    probability,
    core.createNativeTracing({
      probability,
      recorder: { processor, resource: defaultResource() },
    }),
  ]),
)
const ratio = (probability) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(probability) })
const naiveTracer = provide(ratio(0)).getTracer('naive')

/** As the documentation of OpenTelemetry has it. */
function naive(req, res, next) {
  const around = propagation.extract(context.active(), req.headers)
  const span = naiveTracer.startSpan(
    req.method,
    {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': req.method, 'url.path': req.url, 'url.scheme': 'http' },
    },
    around,
  )
  res.on('close', () => {
    span.setAttribute('http.response.status_code', res.statusCode)
    span.end()
  })
  context.with(trace.setSpan(around, span), next)
}

/** A server that is not patched; the listener of one that is. */
function official(listener) {
  const server = createServer(listener)
  return (req, res) => server.emit('request', req, res)
}
function plain(listener) {
  const server = createServer(listener)
  server.emit = EventEmitter.prototype.emit
  return (req, res) => server.emit('request', req, res)
}

const instrumentation = new HttpInstrumentation()
instrumentation.setTracerProvider(provide(ratio(1)))
const reader = new PeriodicExportingMetricReader({
  exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
  exportIntervalMillis: 3_600_000,
})
instrumentation.setMeterProvider(new MeterProvider({ readers: [reader] }))
require('node:http')

const plainly = createManagement({ metrics: { runtime: false }, tracing: false })
const traced = createManagement({ metrics: { runtime: false } })
const sampled = ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']
const unsampled = ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00']

const node = (management) => {
  const observe = adapters.node.observe(management, { route: nodeRoute })
  return (req, res) => observe(req, res, () => answer(req, res))
}
const applications = {
  'node:http': {
    app: (management) =>
      management === undefined ? (req, res) => empty(req, res, () => answer(req, res)) : node(management),
    goal: 1.5,
  },
  'Express 5': {
    app: (management) => expressApp(management === undefined ? empty : adapters.express.observe(management)),
    goal: 2,
  },
  'Koa 3': {
    app: (management) =>
      koaApp(management === undefined ? (_context, next) => next() : adapters.koa.observe(management)),
    goal: 1.5,
  },
}

/** The tracing of the process while a contender runs. */
async function around(name, run) {
  const tracing = tracings[{ on: 1, zero: 0, 'zero, called': 0 }[name]]
  if (tracing === undefined) return run()
  const uninstall = core.installTracing(tracing)
  try {
    return await run()
  } finally {
    uninstall()
    await new Promise(setImmediate)
  }
}

console.log(`Node ${process.version}, OpenTelemetry ${version}; microseconds are this machine's`)
console.log(`${'microseconds added to a request'.padEnd(62)} ${''.padStart(9)} ${'goal'.padStart(8)}`)
for (const [name, { app, goal }] of Object.entries(applications)) {
  const result = await added(
    {
      base: plain(app(undefined)),
      metrics: plain(app(plainly)),
      on: { listener: plain(app(traced)), headers: sampled },
      official: { listener: official(app(undefined)), headers: sampled },
    },
    { around },
  )
  const [alone, by, bare] = [result.metrics, result.official, result.base].map((each) => each.toFixed(2))
  const detail = `metrics alone ${alone}, official ${by}, the request ${bare}`
  report(`${name}: metrics, span and context`, result.on, { atMost: newest ? goal : undefined, detail })
  report(`${name}: official instrumentation / ours`, result.official / result.on, { atLeast: 8 })
}

// What no tracing can do without, and on Node 24 most of what one without a span costs.
const { storage } = tracings[0]
const value = {}
const result = await added(
  {
    base: plain(applications['node:http'].app(undefined)),
    storage: plain((req, res) => storage.run(value, () => answer(req, res))),
    metrics: plain(node(plainly)),
    zero: plain(node(traced)),
    naive: plain((req, res) => naive(req, res, () => answer(req, res))),
    'zero, called': { listener: plain(node(traced)), headers: unsampled },
    'naive, called': { listener: plain((req, res) => naive(req, res, () => answer(req, res))), headers: unsampled },
  },
  { around },
)
for (const what of ['zero', 'zero, called']) {
  // Less than that cannot be told from nothing.
  const ours = Math.max(0.05, result[what] - result.metrics)
  const theirs = result[what.replace('zero', 'naive')]
  const [own, byHand, alone] = [ours, theirs, result.storage].map((each) => each.toFixed(2))
  const detail = `ours ${own}, by hand ${byHand}, AsyncLocalStorage alone ${alone}`
  report(`node:http, probability ${what}: by hand / ours`, theirs / ours, { atLeast: 10, detail })
}

if (exported < rounds * requests) throw new Error(`not what was to be measured: ${exported} spans`)
process.exitCode = missed().length > 0 ? 1 : 0
