// Two builds of the package, function by function: whether a change made a hot path slower.
// Usage, after `npm run build` in both: node bench/builds.mjs <root of the other repository> [rounds, 11 by default]
//
// In each format, a round runs this build, the other one and the other one once more, each in a process of its own and in
// random order. The fastest round of each build counts, because other load only makes a round slower; the other build
// against itself shows what is left of the noise. Exits with 1 if a function is slower by more than that and 3 %.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { shuffled } from './harness.mjs'

const limit = 1.03
/** The used members of a socket. */
const idle = { destroyed: false, once: () => idle, on: () => idle, remoteAddress: '127.0.0.1', setTimeout: () => idle }
const self = fileURLToPath(import.meta.url)
const [first, second] = process.argv.slice(2)

if (first === 'measure') console.log(JSON.stringify(await measure(second)))
else if (first === undefined) throw new Error('expected the root of a repository with another build')
else for (const extension of ['js', 'cjs']) compareBuilds(resolve(first), Number(second ?? 11), extension)

function compareBuilds(root, rounds, extension) {
  if (!(rounds >= 5 && rounds <= 99)) throw new RangeError(`rounds: expected 5 to 99, received ${rounds}`)
  const builds = { ours: resolve(import.meta.dirname, '..'), theirs: root, again: root }
  const fastest = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const build of shuffled(Object.keys(builds))) {
      fastest[build] ??= {}
      for (const [name, time] of Object.entries(run(builds[build], extension))) {
        fastest[build][name] = Math.min(time, fastest[build][name] ?? time)
      }
    }
  }
  const rows = Object.entries(fastest.ours).map(([name, time]) => {
    const [theirs, again] = [fastest.theirs[name], fastest.again[name]]
    const spread = Math.abs(again / theirs - 1)
    const ratio = time / Math.min(theirs, again)
    return {
      function: name,
      ns: cut(time),
      'same build, ±': cut(spread),
      ratio: cut(ratio),
      met: ratio <= limit + spread,
    }
  })
  console.log(`Node ${process.version}, .${extension} files, the fastest of ${rounds} rounds`)
  console.table(rows)
  if (rows.some(({ met }) => !met)) process.exitCode = 1
}

function run(root, extension) {
  const folder = resolve(root, 'build/node_modules/upkeep/dist')
  const words = [self, 'measure', JSON.stringify({ folder, extension })]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Returns the nanoseconds that one call takes, by name. */
async function measure(build) {
  const { folder, extension } = JSON.parse(build)
  const names = ['index', 'metrics', 'logging', 'ids', 'node', 'rest', 'pino', 'health']
  const modules = []
  for (const name of names) {
    // Earlier editions have fewer entry points.
    modules.push(await import(pathToFileURL(resolve(folder, `${name}.${extension}`)).href).catch(() => ({})))
  }
  const upkeep = Object.assign({}, ...modules)
  const contenders = { ...ids(upkeep), ...meters(upkeep), ...logging(upkeep), ...(await management(upkeep)) }
  const results = {}
  for (const [name, call] of Object.entries(contenders)) results[name] = await timeOf(call)
  return results
}

function ids({ uuidV7, uuidV4, parseTraceparent }) {
  const field = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  return { uuidV7, uuidV4, parseTraceparent: () => parseTraceparent(field) }
}

function meters({ createMeterRegistry }) {
  const registry = createMeterRegistry()
  const counter = registry.counter('orders')
  const timer = registry.timer('latency')
  const histogram = registry.timer('latency.histogram', {}, { percentileHistogram: true })
  const tagged = registry.counters('tagged', ['region'])
  const two = registry.timers('routed', ['method', 'status'])
  return {
    'counter.increment': () => counter.increment(),
    'timer.record': () => timer.record(0.012),
    'timer.record, histogram': () => histogram.record(0.012),
    'counters(1 tag)': () => tagged.with('eu').increment(),
    'timers(2 tags)': () => two.with('GET', '200').record(0.012),
  }
}

function logging({ createLogger, pinoOptions }) {
  const logger = createLogger({ application: { name: 'bench' }, write: () => {} })
  const { mixin } = pinoOptions({ application: { name: 'bench' } })
  return { 'logger.info': () => logger.info('placed', { order: 7 }), 'pino mixin': () => mixin({}, 30, {}) }
}

async function management({ createManagement, manage, observe }) {
  const indicators = {
    state: { state: () => 'UP' },
    cached: { check: async () => 'UP', cache: '1h' },
  }
  const managed = createManagement({
    metrics: { runtime: false },
    tracing: true,
    expose: ['health', 'prometheus'],
    health: { indicators, showDetails: 'always' },
  })
  for (let at = 0; at < 1_000; at += 1)
    managed.meters.timer('page', { at: `${at}` }, { percentileHistogram: true }).record(at)
  const request = (target) => ({
    method: 'GET',
    target,
    headers: { accept: '*/*' },
    base: '',
    body: () => ({ kind: 'parsed', value: undefined }),
  })
  const [health, liveness, scrape] = ['health', 'health/liveness', 'prometheus'].map((path) =>
    request(`/management/${path}`),
  )
  await managed(health)
  const served = manage(managed)
  const observed = observe(managed)
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  const exchange = (handle, url) => {
    const req = new IncomingMessage(null)
    Object.assign(req, { method: 'GET', url, headers: { host: 'x' }, socket: idle })
    const res = new ServerResponse(req)
    handle(req, res, () => res.emit('close'))
  }
  return {
    'management(health)': () => managed(health),
    'management(liveness)': () => managed(liveness),
    'observe(request)': () => exchange(observed, '/orders'),
    'manage(request), passed on': () => exchange(served, '/orders'),
    'prometheus, 1,000 histograms': async () => {
      const { body } = await managed(scrape)
      let bytes = 0
      if (typeof body !== 'string') for await (const chunk of body) bytes += chunk.length
      return bytes
    },
  }
}

/** Returns the nanoseconds of one call: the fastest of many short samples. */
async function timeOf(call) {
  const isAsync = call() instanceof Promise && call.constructor.name === 'AsyncFunction'
  const [samples, calls] = isAsync ? [25, 4] : [60, 3_000]
  let best = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < samples; sample += 1) {
    const start = performance.now()
    if (isAsync) for (let at = 0; at < calls; at += 1) await call()
    else for (let at = 0; at < calls; at += 1) call()
    best = Math.min(best, ((performance.now() - start) * 1e6) / calls)
  }
  return best
}

function cut(ratio) {
  return Math.round(ratio * 1_000) / 1_000
}
