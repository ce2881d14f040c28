// A service that has data for every panel and reasons for every alert: requests that fail and are slow, a database, a
// pool that is too small, messages, scheduled tasks, a component that is DOWN, a certificate, telemetry that is lost.
import { createServer } from 'node:http'
import { connect } from 'amqplib'
import pg from 'pg'
import { createManagement } from 'upkeep'
import { joinCluster } from 'upkeep/cluster'
import { postgres, sslBundles } from 'upkeep/health'
import { createScheduledTasks, instrument, poolMeters, tracedChannel, tracedPool } from 'upkeep/instrumentation'
import { histogram } from 'upkeep/metrics'
import { manage, observe } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'

const { CONVENTIONS: conventions, CERTIFICATE: cert, DATABASE: connectionString, QUEUE: queue } = process.env
const database = new pg.Pool({ connectionString, max: 2 })
const tasks = createScheduledTasks({ lateAfter: '1s' })
let flaps = 0
const management = createManagement({
  application: { name: conventions },
  conventions,
  expose: ['health', 'prometheus'],
  scheduledTasks: tasks,
  ssl: sslBundles({ web: { cert } }),
  metrics: {
    filters: conventions === 'micrometer' ? [histogram('http.server.requests', { slo: [0.1, 0.5, 1] })] : [],
  },
  health: {
    indicators: {
      db: { check: postgres(database), refresh: '1s' },
      broker: { check: () => ({ status: 'DOWN' }), refresh: '1s' },
      flaps: { check: () => ({ status: flaps++ % 2 === 0 ? 'UP' : 'DOWN' }), refresh: '1s' },
      scheduledTasks: { check: tasks.indicator, refresh: '1s' },
    },
  },
  report: () => {},
})
instrument(management)
joinCluster(management, { group: `observability-${process.pid}` })
// Nobody listens there.
await startTelemetry({ management, url: 'http://127.0.0.1:9', timeout: '200ms', metrics: { step: '500ms' } })
const pool = tracedPool(database)
poolMeters(management.meters, 'orders', database)

const channel = tracedChannel(await (await connect('amqp://127.0.0.1')).createChannel())
await channel.assertQueue(queue, { autoDelete: true })
await channel.consume(queue, (message) => channel.ack(message))

const fails = () => {
  throw new Error('no printer')
}
const run = tasks.schedule('invoices.print', fails, { fixedRate: '1s' })
const sends = tasks.schedule('mail.send', () => {}, { fixedRate: '1s' })
tasks.schedule('reports.weekly', () => {}, { fixedRate: '1s' })
setInterval(() => {
  sends()
  Promise.resolve()
    .then(run)
    .catch(() => {})
}, 500)

async function placeOrder(id, response) {
  await pool.query('SELECT pg_sleep(0.6) FROM pg_class LIMIT 1')
  await (await fetch(`http://127.0.0.1:${server.address().port}/prices/${id}`)).arrayBuffer()
  await (await fetch(`http://127.0.0.1:${server.address().port}/nowhere`)).arrayBuffer()
  channel.sendToQueue(queue, Buffer.from('placed'))
  management.meters.counter('orders.placed', { customer: id }).increment()
  const until = performance.now() + (id % 20 === 0 ? 700 : 0)
  while (performance.now() < until) JSON.stringify({ id })
  response.statusCode = id % 5 === 0 ? 503 : 200
  response.end('placed')
}

const observed = observe(management, { route: (request) => request.url.replace(/\d+$/, ':id') })
const managed = manage(management)
const server = createServer((request, response) =>
  managed(request, response, () =>
    observed(request, response, () => {
      const [, resource, id = '0'] = request.url.split('/')
      if (resource === 'prices') response.end('17')
      else if (resource === 'nowhere') response.writeHead(404).end()
      else void placeOrder(Number(id), response).catch(() => response.writeHead(500).end())
    }),
  ),
)
for (let customer = 0; customer < 1_100; customer += 1)
  management.meters.counter('orders.placed', { customer }).increment()
setInterval(() => management.meters.counter('orders.placed', { customer: `late ${flaps}` }).increment(), 200)
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit(0))
