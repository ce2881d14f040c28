// What `observe` adds to a request, beside prom-client by hand: `node bench/observe.mjs`. On node:http and Express also
// what no observation can do without: two readings of the clock, an object between them, and a listener to the end.
//
// In one process, over no network: real requests and responses of node:http over a socket that discards, closed as the
// server does it. The base of every row is the same application with an empty middleware in the place of `observe`;
// what is told is the median over the rounds of the difference inside a round.
import prom from 'prom-client'
import { load, missed, report } from './harness.mjs'
import { added, answer, empty, expressApp, koaApp, nodeRoute, requests, rounds } from './requests.mjs'

const { createManagement } = await load('upkeep')
const adapters = {
  express: await load('upkeep/express'),
  koa: await load('upkeep/koa'),
  node: await load('upkeep/node'),
}
const management = createManagement({ metrics: { runtime: false } })
const promRequests = new prom.Histogram({
  name: 'http_requests',
  help: 'h',
  labelNames: ['route', 'method', 'status'],
  registers: [new prom.Registry()],
})

function byHand(req, res, routeOf, next) {
  const stop = promRequests.startTimer()
  res.on('finish', () => stop({ route: routeOf(req), method: req.method, status: res.statusCode }))
  next()
}

const startedAt = Symbol('started at')
let seconds = 0
let count = 0

function unavoidable(_req, res, next) {
  res[startedAt] = { at: performance.now() }
  res.prependListener('close', ended)
  next()
}

function ended() {
  seconds += performance.now() - this[startedAt].at
  if (this.statusCode === 200) count += 1
}

const observed = adapters.node.observe(management, { route: nodeRoute })
const node = {
  base: (req, res) => empty(req, res, () => answer(req, res)),
  observe: (req, res) => observed(req, res, () => answer(req, res)),
  prom: (req, res) => byHand(req, res, nodeRoute, () => answer(req, res)),
  limit: (req, res) => unavoidable(req, res, () => answer(req, res)),
}

const expressRoute = (req) => req.baseUrl + req.route.path
const expressApps = {
  base: expressApp(empty),
  observe: expressApp(adapters.express.observe(management)),
  prom: expressApp((req, res, next) => byHand(req, res, expressRoute, next)),
  limit: expressApp(unavoidable),
}

const koaApps = {
  base: koaApp((_context, next) => next()),
  observe: koaApp(adapters.koa.observe(management)),
  prom: koaApp((context, next) => {
    const stop = promRequests.startTimer()
    context.res.on('finish', () =>
      stop({ route: context._matchedRoute, method: context.method, status: context.status }),
    )
    return next()
  }),
}

console.log(`Node ${process.version}; microseconds are this machine's`)
console.log(`${'microseconds added to a request'.padEnd(62)} ${''.padStart(9)} ${'goal'.padStart(8)}`)
for (const [name, apps, goal] of [
  ['node:http', node, 0.35],
  ['Express 5', expressApps, undefined],
  ['Koa 3', koaApps, undefined],
]) {
  const result = await added(apps)
  const detail = `prom-client by hand ${result.prom.toFixed(2)}, the request alone ${result.base.toFixed(2)}`
  report(`${name}: observe`, result.observe, { atMost: goal, detail })
  if (result.limit !== undefined) report(`${name}: what no observation can do without`, result.limit)
  if (goal !== undefined) report(`${name}: prom-client by hand / observe`, result.prom / result.observe, { atLeast: 3 })
}

// What was measured has to have happened.
if (count !== 2 * (rounds + 1) * requests || !(seconds > 0)) throw new Error(`not what was to be measured: ${count}`)
for (const { id, count } of management.meters.snapshot('http.server.requests')) {
  const tags = id.tags.map(({ value }) => value).join(' ')
  if (tags !== 'none none GET SUCCESS 200 /orders/:id' || count !== 3 * (rounds + 1) * requests) {
    throw new Error(`not what was to be measured: ${tags}, ${count}`)
  }
}
management.close()
process.exitCode = missed().length > 0 ? 1 : 0
