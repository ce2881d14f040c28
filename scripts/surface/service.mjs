// What a running service shows: the names, types and labels of meters, the members of documents, the fields of log
// records, the attributes of spans. Prints a line for each, for one naming convention.
// Usage, after `npm run build`: node scripts/surface/service.mjs micrometer | opentelemetry
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { listenAs } from './frameworks.mjs'
import { membersOf } from './members.mjs'
import { metersOf } from './meters.mjs'

const require = createRequire(new URL('../../build/package.json', import.meta.url))
const { bearerToken, createManagement } = require('upkeep')
const { createScheduledTasks, instrument } = require('upkeep/instrumentation')
const { createLogger } = require('upkeep/logging')
const { startTelemetry } = require('upkeep/otlp')
const { histogram } = require('upkeep/metrics')

const [conventions] = process.argv.slice(2)
const token = 'surface'
const lines = []
const print = (...words) => void lines.push(words.join(' '))

/** A receiver of OTLP, and what it has received. */
const received = []
const receiver = createServer(async (req, res) => {
  received.push(JSON.parse((await req.toArray()).join('')))
  res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

const application = { name: 'surface', version: '1.0.0' }
const records = Object.fromEntries(['json', 'ecs'].map((format) => [format, []]))
const loggers = Object.entries(records).map(([format, kept]) =>
  createLogger({ application: application, format, write: (line) => void kept.push(JSON.parse(line)) }),
)
const tasks = createScheduledTasks()
const management = createManagement({
  application,
  loggers: loggers[0].loggers,
  conventions,
  expose: [
    ...[
      'health',
      'info',
      'metrics',
      'prometheus',
      'loggers',
      'tracing',
      'env',
      'httpexchanges',
      'mappings',
      'scheduledtasks',
    ],
    ...['startup', 'threaddump', 'console', 'why'],
  ],
  authorize: bearerToken(token),
  scheduledTasks: tasks,
  health: { indicators: { db: () => ({ status: 'UP', details: { rows: 1 } }) }, showDetails: 'always' },
  metrics: {
    filters: [
      histogram(conventions === 'micrometer' ? 'http.server.requests' : 'http.server.request.duration', { slo: [1] }),
    ],
  },
  report: () => {},
})
instrument(management)
const telemetry = await startTelemetry({
  management,
  url: `http://127.0.0.1:${receiver.address().port}`,
  protocol: 'http/json',
})
const log = () => {
  for (const logger of loggers) logger.error('failed', { error: new Error('no printer'), order: 7 })
}

for (const name of ['express', 'fastify', 'hono', 'koa', 'node']) {
  const { origin, close } = await listenAs(name, require, management, log)
  for (const path of ['/orders/1', '/failing', '/nowhere']) await (await fetch(origin + path)).text()
  const read = async (path, accept = '*/*') => {
    const response = await fetch(`${origin}/management${path}`, {
      headers: { authorization: `Bearer ${token}`, accept },
    })
    return response.text()
  }
  if (name === 'node') {
    // The pauses of garbage collection are series from the first on; the observer is told of them in a later turn.
    globalThis.gc()
    while (!/gc_(pause|duration)_seconds_count/.test(await read('/prometheus', 'text/plain'))) await setImmediate()
    await tasks.schedule('mails.send', () => {}, { fixedRate: '1m' })()
    for (const line of metersOf(await read('/prometheus', 'text/plain'))) print('meter', conventions, line)
    if (conventions === 'micrometer') await printDocuments(read)
  }
  const routes = metersOf(await read('/prometheus', 'text/plain')).filter((line) => line.startsWith('http_server'))
  for (const line of routes) print('meter', conventions, line)
  await close()
}
await telemetry.flush()
await telemetry.shutdown()
receiver.closeAllConnections()
receiver.close()

if (conventions === 'micrometer') {
  for (const [format, kept] of Object.entries(records))
    for (const line of kept.flatMap((record) => membersOf(record, []))) print('log', format, line)
}
const kinds = { 1: 'INTERNAL', 2: 'SERVER', 3: 'CLIENT' }
for (const { resourceSpans = [] } of received) {
  for (const { resource, scopeSpans } of resourceSpans) {
    for (const { key } of resource.attributes) print('resource', key)
    for (const { kind, attributes } of scopeSpans.flatMap(({ spans }) => spans))
      for (const { key } of attributes) print('span', kinds[kind], key)
  }
}
// The end of the process must not cut off what a pipe has not taken yet.
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(0))

/** Prints the members of the documents of endpoints. */
async function printDocuments(read) {
  // Objects whose keys are content.
  const keyed = {
    health: ['components', 'components.*.details'],
    env: ['propertySources.*.properties'],
    httpexchanges: ['exchanges.*.request.headers', 'exchanges.*.response.headers'],
    loggers: ['loggers', 'groups'],
    mappings: ['contexts', 'contexts.*.mappings'],
  }
  const index = JSON.parse(await read(''))
  // What they show depends on the moment, or is not JSON.
  const without = ['self', 'console', 'prometheus', 'threaddump', 'why']
  for (const [id, { href, templated }] of Object.entries(index._links)) {
    print('endpoint', id)
    if (templated || without.includes(id)) continue
    const text = await read(new URL(href, 'http://a').pathname.replace('/management', ''), 'application/json')
    for (const line of membersOf(JSON.parse(text), keyed[id] ?? [])) print('document', id, line)
  }
  const detail = await read('/metrics/http.server.requests', 'application/json')
  for (const line of membersOf(JSON.parse(detail), [])) print('document', 'metrics/{name}', line)
}
