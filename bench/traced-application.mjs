// An application of tracing.mjs, in a process of its own, as a user starts it from the packed package: `node
// bench/traced-application.mjs <framework> <contender> <url of the receiver>`. To a message of its parent, a number of
// requests, it responds with the microseconds of the processor that one takes; to `listen` with the port that it
// serves; to `cpu` with what it has used of the processor.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import { encodeSpans } from './encode-by-hand.mjs'
import { load } from './harness.mjs'
import { timeOf } from './inject.mjs'
import { openTelemetry } from './open-telemetry.mjs'
import { answer, empty, expressApp, koaApp, nodeRoute } from './requests.mjs'

const spansOfBatch = 512
const spanOfResponse = Symbol('span')
let randomDigits = ''
let nextDigit = 0

const [framework, contender, url] = process.argv.slice(2)
const traceId = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331'
/** The trace of a caller: sampled, not sampled, or none. */
const fields = { unsampled: ['traceparent', `00-${traceId}-00`], zero: [] }
const traceparent = fields[contender.split(' ')[0]] ?? ['traceparent', `00-${traceId}-01`]

/** The application with a middleware in front of it. */
const applications = {
  'node:http':
    (observe = empty) =>
    (req, res) =>
      observe(req, res, () => answer(req, res)),
  'Express 5': (observe = empty) => expressApp(observe),
  'Koa 3': (observe = (_context, next) => next()) => koaApp(observe),
}
const entries = { 'node:http': 'upkeep/node', 'Express 5': 'upkeep/express', 'Koa 3': 'upkeep/koa' }

const listener = await start()
process.on('message', async (message) => {
  if (message === 'listen') return listen()
  if (message === 'cpu') return process.send(cpu())
  const requestOf = (i) => ({
    url: `/orders/${i & 63}`,
    headers: ['X-Request-Id', `request-${i & 63}`, ...traceparent],
  })
  process.send(await timeOf(listener, message, requestOf))
})
process.send('ready')

async function start() {
  const application = applications[framework]
  if (contender === 'base') return application()
  if (contender === 'without upkeep') return application(unavoidable())
  if (contender === 'official') return official(application())
  if (contender.endsWith('by hand')) return byHand(application())
  const { createManagement } = await load('upkeep')
  const { observe } = await load(entries[framework])
  const management = createManagement({ metrics: { runtime: false } })
  if (contender !== 'metrics') {
    const { startTelemetry } = await load('upkeep/otlp')
    const tracing = contender === 'zero' ? { probability: 0 } : {}
    await startTelemetry({ management, url, metrics: false, logs: false, tracing })
  }
  return application(framework === 'node:http' ? observe(management, { route: nodeRoute }) : observe(management))
}

/**
 * A middleware that does what no tracing can do without, and only for this application: a request has a context, a span
 * and a time, and its end is noticed. Spans of these attributes alone are encoded by hand, and sent.
 */
function unavoidable() {
  const storage = new AsyncLocalStorage()
  const agent = new Agent({ keepAlive: true })
  const headers = { 'content-type': 'application/x-protobuf' }
  const durations = new Map([['/orders/:id', new Map([[200, { count: 0, sum: 0, max: 0 }]])]])
  const wallTime = Date.now() - performance.now()
  let batch = []
  const send = (body) =>
    request(`${url}/v1/traces`, { method: 'POST', agent, headers }, (res) => res.resume()).end(body)

  /** Ends the span of a response, which is `this`, when it is closed. */
  function end() {
    const span = this[spanOfResponse]
    const now = performance.now()
    const duration = durations.get('/orders/:id').get(this.statusCode)
    duration.count += 1
    duration.sum += now - span.startedAt
    duration.max = Math.max(duration.max, now - span.startedAt)
    span.name = 'GET /orders/:id'
    span.attributes['http.response.status_code'] = this.statusCode
    span.startedAt += wallTime
    span.endedAt = wallTime + now
    batch.push(span)
    if (batch.length < spansOfBatch) return
    send(encodeSpans(batch))
    batch = []
  }

  const observe = (req, response, next) => {
    const { rawHeaders } = req
    let caller = ''
    for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at] === 'traceparent') caller = rawHeaders[at + 1]
    const span = {
      traceId: caller.slice(3, 35),
      spanId: newSpanId(),
      parentId: caller.slice(36, 52),
      name: '',
      startedAt: performance.now(),
      endedAt: 0,
      attributes: {
        'http.request.method': req.method,
        'url.scheme': 'http',
        'url.path': req.url,
        'server.address': rawHeaders[1],
        'user_agent.original': rawHeaders[5],
        'http.route': '/orders/:id',
        'http.response.status_code': 0,
      },
    }
    response[spanOfResponse] = span
    response.on('close', end)
    return storage.run(span, next)
  }
  return framework === 'Koa 3' ? ({ req, res }, next) => observe(req, res, next) : observe
}

/** Returns 16 random hexadecimal digits. */
function newSpanId() {
  if (nextDigit + 16 > randomDigits.length) {
    randomDigits = randomBytes(8_192).toString('hex')
    nextDigit = 0
  }
  nextDigit += 16
  return randomDigits.slice(nextDigit - 16, nextDigit)
}

/** OpenTelemetry with its propagator and its context manager, and a provider that exports to the receiver. */
function provide(sampler) {
  const { require } = openTelemetry(Number(process.versions.node.split('.')[0]) >= 24 ? 3 : 2)
  const api = require('@opentelemetry/api')
  const { W3CTraceContextPropagator } = require('@opentelemetry/core')
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
    require('@opentelemetry/sdk-trace')
  const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks')
  const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-proto')
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` })
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const root = new TraceIdRatioBasedSampler(sampler)
  const spanProcessors = [new BatchSpanProcessor({ exporter, maxQueueSize: 100_000 })]
  return { require, api, provider: new TracerProvider({ sampler: new ParentBasedSampler({ root }), spanProcessors }) }
}

/** The server that OpenTelemetry's instrumentation patches, with its metrics. */
function official(application) {
  const { require, provider } = provide(1)
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
  const { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } =
    require('@opentelemetry/sdk-metrics')
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const instrumentation = new HttpInstrumentation()
  instrumentation.setTracerProvider(provider)
  instrumentation.setMeterProvider(new MeterProvider({ readers: [reader] }))
  require('node:http')
  const server = createServer(application)
  return (req, res) => server.emit('request', req, res)
}

/** A middleware as the documentation of OpenTelemetry has it, with probability 0. */
function byHand(application) {
  const { api, provider } = provide(0)
  const { context, propagation, SpanKind, trace } = api
  const tracer = provider.getTracer('by hand')
  return (req, res) => {
    const around = propagation.extract(context.active(), req.headers)
    const attributes = { 'http.request.method': req.method, 'url.path': req.url, 'url.scheme': 'http' }
    const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER, attributes }, around)
    res.on('close', () => {
      span.setAttribute('http.response.status_code', res.statusCode)
      span.end()
    })
    context.with(trace.setSpan(around, span), () => application(req, res))
  }
}

function listen() {
  const server = createServer(listener).listen(0, '127.0.0.1', () => process.send(server.address().port))
}

/** Returns the microseconds of the processor that this process has used. */
function cpu() {
  const { user, system } = process.cpuUsage()
  return user + system
}
