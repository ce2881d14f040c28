// An application of tracing.mjs, in a process of its own, as a user starts it from the packed package:
// `node bench/traced-application.mjs <framework> <contender> <url of the receiver>`. Answers each message of its parent, a
// number of requests, with the microseconds of the processor that one takes; with `listen`, with the port that it serves; `cpu`, with what
// it has used of the processor.
import { createServer } from 'node:http'
import { load } from './harness.mjs'
import { timeOf } from './inject.mjs'
import { openTelemetry } from './open-telemetry.mjs'
import { answer, empty, expressApp, koaApp, nodeRoute } from './requests.mjs'

const [framework, contender, url] = process.argv.slice(2)
const traceparent = ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']

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
  const request = (i) => ({ url: `/orders/${i & 63}`, headers: ['X-Request-Id', `request-${i & 63}`, ...traceparent] })
  process.send(await timeOf(listener, message, request))
})
process.send('ready')

async function start() {
  const application = applications[framework]
  if (contender === 'base') return application()
  if (contender === 'official') return official(application())
  const { createManagement } = await load('upkeep')
  const { observe } = await load(entries[framework])
  const management = createManagement({ metrics: { runtime: false } })
  if (contender === 'traced') {
    const { startTelemetry } = await load('upkeep/otlp')
    await startTelemetry({ management, url, metrics: false, logs: false })
  }
  return application(framework === 'node:http' ? observe(management, { route: nodeRoute }) : observe(management))
}

/** The server that OpenTelemetry's instrumentation patches, whose spans an exporter forgets. */
function official(application) {
  const { require } = openTelemetry(Number(process.versions.node.split('.')[0]) >= 24 ? 3 : 2)
  const { context, propagation } = require('@opentelemetry/api')
  const { W3CTraceContextPropagator } = require('@opentelemetry/core')
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
  const { BatchSpanProcessor, TracerProvider } = require('@opentelemetry/sdk-trace')
  const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks')
  const exporter = { export: (_spans, done) => done({ code: 0 }), shutdown: async () => {} }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const spanProcessors = [new BatchSpanProcessor({ exporter, maxQueueSize: 100_000 })]
  new HttpInstrumentation().setTracerProvider(new TracerProvider({ spanProcessors }))
  require('node:http')
  const server = createServer(application)
  return (req, res) => server.emit('request', req, res)
}

function listen() {
  const server = createServer(listener).listen(0, '127.0.0.1', () => process.send(server.address().port))
}

/** Returns the microseconds of the processor that this process has used. */
function cpu() {
  const { user, system } = process.cpuUsage()
  return user + system
}
