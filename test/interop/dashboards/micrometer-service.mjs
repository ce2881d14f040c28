// A service with what dashboards for Spring Boot show: requests, some of which fail, a pool, log records, garbage.
import { createServer } from 'node:http'
import { createPool } from 'generic-pool'
import { createManagement } from 'upkeep'
import { cacheMeters, poolMeters } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { manage, observe } from 'upkeep/node'

const application = { name: 'orders', version: '1.4.2' }
const logger = createLogger({ application, write: () => {} })
const management = createManagement({
  application,
  expose: ['health', 'metrics', 'prometheus', 'loggers'],
  loggers: logger.loggers,
  authorize: () => true,
  metrics: { commonTags: { application: 'orders' } },
})
const pool = createPool({ create: async () => ({}), destroy: async () => {} }, { min: 1, max: 4 })
poolMeters(management.meters, 'database', pool)
const prices = new Map()
cacheMeters(management.meters, 'prices', prices)

async function placeOrder(id, response) {
  const garbage = await pool.use(async () => Array.from({ length: 50_000 }, (_, index) => ({ index })))
  prices.set(id, garbage.length)
  response.statusCode = Number(id) % 5 === 0 ? 500 : 200
  if (response.statusCode === 500) logger.error('an order failed', { id })
  else logger.info('an order was placed', { id })
  response.end(String(prices.get(id)))
}

const observed = observe(management, { route: (request) => request.url.replace(/\d+$/, ':id') })
const managed = manage(management)
const server = createServer((request, response) =>
  managed(request, response, () =>
    observed(request, response, () => void placeOrder(/\d+$/.exec(request.url)?.[0] ?? '0', response)),
  ),
)
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit(0))
