// A service as its author would write it, which registers at Spring Boot Admin. It runs in a folder where the packed
// package is installed, prints its port, and shuts down when its input ends. GET /seen has the requests of the server.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { bearerToken, createManagement } from 'upkeep'
import { diskSpace } from 'upkeep/health'
import { createCaches, createScheduledTasks } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { manage, observe, shutdownGracefully } from 'upkeep/node'
import { createAdminCredential, registerAtSpringBootAdmin } from 'upkeep/spring-boot-admin'

const { ADMIN_URL, ADMIN_PERMISSION } = process.env
const logger = createLogger({ application: { name: 'orders' } })
const orders = logger.child({ logger: 'orders' })
const credential = createAdminCredential({ permission: ADMIN_PERMISSION, otherwise: bearerToken('secret') })

// What a build and a log writer leave behind.
writeFileSync('orders.log', Array.from({ length: 100 }, (_, at) => `order ${at + 1} placed\n`).join(''))
const refOf = (name, version) => `pkg:npm/${name}@${version}`
const component = (name, version) => ({ type: 'library', 'bom-ref': refOf(name, version), name, version })
writeFileSync(
  'sbom.cdx.json',
  JSON.stringify({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    components: [component('upkeep', '0.1.0'), component('pino', '9.9.0'), component('thread-stream', '3.1.0')],
    dependencies: [
      { ref: refOf('orders', '1.4.2'), dependsOn: [refOf('upkeep', '0.1.0'), refOf('pino', '9.9.0')] },
      { ref: refOf('upkeep', '0.1.0'), dependsOn: [] },
      { ref: refOf('pino', '9.9.0'), dependsOn: [refOf('thread-stream', '3.1.0')] },
      { ref: refOf('thread-stream', '3.1.0'), dependsOn: [] },
    ],
  }),
)

const caches = createCaches()
const cities = new Map()
caches.add('cities', cities)
const tasks = createScheduledTasks()
tasks.schedule('orders.nightly', () => {}, { cron: '0 3 * * *', next: () => Date.now() + 3_600_000 })
tasks.schedule('orders.delay', () => {}, { fixedDelay: '3s' })()
setInterval(
  tasks.schedule('orders.rate', () => {}, { fixedRate: '2s' }),
  2_000,
).unref()

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  basePath: '/actuator',
  expose: [
    ...['health', 'info', 'metrics', 'prometheus', 'loggers', 'env', 'httpexchanges', 'mappings', 'logfile'],
    ...['scheduledtasks', 'caches', 'startup', 'sbom', 'threaddump', 'heapdump'],
    // The pages of Spring Boot Admin get no button that ends the service.
    ...(ADMIN_URL === undefined ? ['shutdown'] : []),
  ],
  access: { info: 'authorized', metrics: 'authorized', loggers: 'authorized' },
  health: {
    indicators: { diskSpace: diskSpace({ path: '.' }), stock: () => ({ status: 'UP', details: { items: 3 } }) },
    groups: { storage: { include: ['diskSpace'] } },
    showComponents: 'when-authorized',
    showDetails: 'when-authorized',
  },
  info: { process: true, runtime: true, os: true, contributors: [() => ({ team: 'logistics' })] },
  loggers: logger.loggers,
  loggerGroups: { db: ['orders'] },
  ...{ caches, scheduledTasks: tasks, logFile: 'orders.log', sbom: { application: 'sbom.cdx.json' } },
  authorize: credential.authorize,
})

management.mappings.register({}, 'orders', () => [{ method: 'GET', path: '/orders/:id' }])
cities.get('Bern')
cities.set('Bern', 1)
cities.get('Bern')

const routes = [{ method: 'GET', path: '/orders/:id', handler: 'readOrder' }]
management.mappings.register(routes, 'node', () => routes)

const seen = []
const observed = observe(management, { route: () => '/orders/:id' })
const managed = manage(management)
const server = createServer((request, response) => {
  if (request.url === '/seen') return response.end(JSON.stringify(seen))
  seen.push(`${request.method} ${request.url}`)
  managed(request, response, () => observed(request, response, () => respond(response)))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  const url = `http://127.0.0.1:${port}`
  const hooks = ADMIN_URL === undefined ? [] : [register(url)]
  shutdownGracefully(server, management, { delay: '10ms', hooks })
  orders.info('started')
  process.stdout.write(`port ${port}\n`)
})

function respond(response) {
  response.setHeader('Content-Type', 'text/plain')
  response.end('ok')
}

function register(url) {
  return registerAtSpringBootAdmin(management, {
    ...{ url: ADMIN_URL, managementUrl: `${url}/actuator`, serviceUrl: url, credential },
    ...{ tags: { environment: 'test' }, metadata: { colour: 'blue' }, period: '500ms' },
  })
}

process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGTERM'))
