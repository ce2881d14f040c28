// A service as its author would write it. It runs in a folder where the packed package is installed, prints its port,
// is configured by OpenTelemetry's variables, and shuts down when its input ends.
import { createServer } from 'node:http'
import { createManagement, traced } from 'upkeep'
import { manage, observe, shutdownGracefully } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'metrics', 'prometheus'],
  tracing: true,
})
const telemetry = await startTelemetry({ management, exporter: process.env.ORDERS_EXPORTER })
const placed = management.meters.counters('orders.placed', ['result'])
const waited = management.meters.timer('orders.wait', { region: 'eu "1"\\' }, { slo: [0.01, 1] })
management.meters.gauge('queue.depth', {}, () => 17.5)

const withObservation = observe(management, { route: () => '/orders/:id' })
const managed = manage(management)

function idOf(target) {
  return /^\/orders\/(\d+)/.exec(target)?.[1]
}

async function placeOrder(id, response) {
  await traced('place order', async () => {
    placed.with(Number(id) % 3 === 0 ? 'late' : 'success').increment()
    waited.record(0.5)
  })
  response.statusCode = id === '13' ? 500 : 200
  response.end('ok')
}

const server = createServer((request, response) =>
  managed(request, response, () =>
    withObservation(request, response, () => void placeOrder(idOf(request.url), response)),
  ),
)
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
shutdownGracefully(server, management, { flush: [telemetry] })
process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGTERM'))
