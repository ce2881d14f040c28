// Makes the pictures of docs/guides/console.md, in docs/images/console/: each screen of the console, light and dark, of a service
// under load with PostgreSQL, an outgoing call, tasks and log records. Usage, after `npm run build` and with PostgreSQL
// on 127.0.0.1:5432, whose user `postgres` needs no password: node scripts/console-pictures.mjs
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chromium } from 'playwright-core'

const root = resolve(import.meta.dirname, '..')
const load = (name) => import(join(root, `build/node_modules/upkeep/dist/${name}.mjs`))
const { bearerToken, createManagement } = await load('index')
const { manage, observe } = await load('node')
const { cacheMeters, createScheduledTasks, instrument, poolMeters, tracedPool } = await load('instrumentation')
const { discoverClients } = await load('health')
const { createLogger } = await load('logging')
const { startTelemetry } = await load('otlp')

/** How long the service is under load before the pictures are made. */
const loadSeconds = Number(process.env.SECONDS ?? 45)
const token = 'let-me-in'
const screens = ['overview', 'requests', 'health', 'metrics', 'logs', 'diagnostics', 'dependencies', 'environment']

// The screen Environment shows those of a deployment, not of the machine on which the pictures are made.
const outerVariables = { ...process.env }
for (const name of Object.keys(process.env)) delete process.env[name]
Object.assign(process.env, {
  NODE_ENV: 'production',
  PORT: '8080',
  TZ: 'UTC',
  DATABASE_URL: 'postgres://orders:hunter2@db.internal:5432/orders',
  PAYMENTS_API_KEY: 'hunter2',
})
process.chdir('/')

const sink = await listen((req, res) => req.resume().on('end', () => res.end()))
const payments = await listen((_req, res) => setTimeout(() => res.end('{"paid":true}'), 5 + 20 * Math.random()))

const logger = createLogger({ application: { name: 'orders', version: '1.4.2' }, write: () => {} })
let isDown = false
const discover = discoverClients()
const scheduledTasks = createScheduledTasks()
const pool = new pg.Pool({ host: '127.0.0.1', user: 'postgres', database: 'postgres', max: 4 })
pool.on('connect', (client) => {
  for (const table of ['orders', 'audit', 'reports']) client.query(`create temporary table ${table} as select 1 as id`)
})
const database = tracedPool(pool)
const cache = new Map()
const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: [
    ...['health', 'info', 'metrics', 'env', 'mappings', 'loggers', 'profile', 'threaddump', 'heapdump', 'startup'],
    ...['scheduledtasks', 'console'],
  ],
  authorize: bearerToken(token),
  loggers: logger.loggers,
  scheduledTasks,
  tracing: true,
  env: { showValues: 'when-authorized' },
  info: { runtime: true, os: false, process: false, build: false, git: false },
  audit: () => {},
  report: () => {},
  health: {
    discover,
    indicators: {
      redis: () =>
        isDown
          ? { status: 'DOWN', details: { error: 'connect ECONNREFUSED 10.0.3.7:6379', host: 'cache.internal' } }
          : { status: 'UP', details: { version: '7.4.1', host: 'cache.internal' } },
    },
  },
})
instrument(management)
cacheMeters(management.meters, 'products', cache)
poolMeters(management.meters, 'orders', pool)
await startTelemetry({ management, url: addressOf(sink), metrics: false, logs: false })

const [managed, observed] = [manage(management), observe(management, { route: routeOf })]
const service = await listen((req, res) =>
  observed(req, res, () => managed(req, res, () => void respond(req, res).catch((error) => fail(res, error)))),
)
const url = addressOf(service)
let isOver = false
await fetch(`${url}/management/health`)
const clients = Array.from({ length: 6 }, sendRequests)
const tick = () => database.query('select count(*) from reports')
const ticking = setInterval(scheduledTasks.schedule('reports.count', tick, { fixedRate: '900ms' }), 900)

await sleep(1_000 * loadSeconds)
isDown = true
await fetch(`${url}/management/health`)
// Blocks the event loop, as an expensive regular expression would.
for (const until = Date.now() + 700; Date.now() < until; );
await sleep(4_000)

const browser = await chromium.launch({
  ...{ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'], env: outerVariables },
})
const folder = join(root, 'docs/images/console')
mkdirSync(folder, { recursive: true })
try {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme })
    await page.goto(`${url}/management/console`)
    await page.getByRole('textbox', { name: 'Token' }).fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('orders').first().waitFor()
    for (const screen of screens) await take(page, screen, `#/${screen}`, colorScheme)
    const slow = await slowRequest()
    await take(page, 'request', `#/requests?id=${slow}`, colorScheme)
    await page.close()
  }
} finally {
  isOver = true
  clearInterval(ticking)
  await browser.close()
}
await Promise.all(clients)
process.exit(0)

async function take(page, name, hash, colorScheme) {
  await page.evaluate((to) => {
    location.hash = to
  }, hash)
  await sleep(2_500)
  if ((await page.getByText('Loading…').count()) > 0) throw new Error(`${hash} is still loading`)
  await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  console.log(`docs/images/console/${name}-${colorScheme}.png`)
}

/** Returns the id of a slow request. */
async function slowRequest() {
  const headers = { authorization: `Bearer ${token}` }
  const address = `${url}/management/console/requests?route=${encodeURIComponent('/orders/:id')}`
  const { recent } = await (await fetch(address, { headers })).json()
  return recent.find(({ kept }) => kept === 'slow').id
}

function routeOf({ url: target = '' }) {
  if (target.startsWith('/orders/')) return '/orders/:id'
  return ['/orders', '/products', '/reports'].find((route) => target === route)
}

async function respond(req, res) {
  const target = req.url ?? ''
  if (target.startsWith('/orders/')) {
    await database.query('select *, pg_sleep($1) from orders', [0.003 + Math.random() / 100])
    const isSlow = Math.random() < 0.01
    await fetch(`${addressOf(payments)}/payments`).then((response) => response.text())
    if (isSlow) await database.query('insert into audit select 1 from pg_sleep(1.1)')
    logger.info('order shown', { order: target.slice(8) })
    if (Math.random() < 0.04) throw new TypeError("Cannot read properties of undefined (reading 'currency')")
  } else if (target === '/products') {
    cache.get('all') ?? cache.set('all', [])
    await sleep(2 + 4 * Math.random())
  } else if (target === '/reports') {
    await database.query('select *, pg_sleep($1) from reports', [0.08 + Math.random() / 8])
  } else res.statusCode = target === '/orders' ? 201 : 404
  res.end('{}')
}

function fail(res, error) {
  logger.error('order failed', { err: error })
  res.statusCode = 500
  res.end()
}

async function sendRequests() {
  const targets = ['/orders/7', '/orders/8', '/orders', '/products', '/products', '/reports', '/favicon.ico']
  while (!isOver) {
    const method = Math.random() < 0.1 ? 'POST' : 'GET'
    const target = targets[Math.floor(Math.random() * targets.length)]
    await fetch(url + target, { method }).then(
      (response) => response.arrayBuffer(),
      () => {},
    )
    await sleep(20 + 60 * Math.random())
  }
}

async function listen(listener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function addressOf(server) {
  return `http://127.0.0.1:${server.address().port}`
}
