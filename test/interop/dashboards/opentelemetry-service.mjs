// A service with what dashboards for OpenTelemetry show: requests to it, some of which fail, requests of its own, a pool
// and garbage. It is scraped, and sends the same over OTLP.
import { createServer } from 'node:http'
import { createPool } from 'generic-pool'
import { createManagement } from 'upkeep'
import { instrument, poolMeters } from 'upkeep/instrumentation'
import { manage, observe } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  conventions: 'opentelemetry',
  expose: ['health', 'prometheus'],
})
instrument(management)
await startTelemetry({ management })
const pool = createPool({ create: async () => ({}), destroy: async () => {} }, { min: 1, max: 4 })
poolMeters(management.meters, 'database', pool)

async function placeOrder(id, response) {
  const garbage = await pool.use(async () => Array.from({ length: 50_000 }, (_, index) => ({ index })))
  const price = await fetch(`http://127.0.0.1:${server.address().port}/prices/${id}`)
  response.statusCode = Number(id) % 5 === 0 ? 500 : 200
  response.end(`${await price.text()} ${garbage.length}`)
}

const observed = observe(management, { route: (request) => request.url.replace(/\d+$/, ':id') })
const managed = manage(management)
const server = createServer((request, response) =>
  managed(request, response, () =>
    observed(request, response, () => {
      const [, resource, id = '0'] = request.url.split('/')
      if (resource === 'prices') response.end('17')
      else void placeOrder(id, response)
    }),
  ),
)
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit(0))
