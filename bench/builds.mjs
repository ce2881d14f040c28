// Two builds of the package, function by function: whether a change made a hot path slower.
// Usage, after `npm run build` in both: node bench/builds.mjs <root of the other repository> [rounds, 11 by default]
//
// In each format, a round runs this build, the other one, and copies of the other one, each in a process of its own and in
// random order. The fastest round of each build counts, because other load only makes a round slower. The copies have the
// same code behind an unused function in each file: they show what is left of the noise, and how much a function's time
// depends on where its code happens to lie (up to 10 %). Exits with 1 if a function is slower than the slowest of the
// same builds and 3 %.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { shuffled } from './harness.mjs'

const limit = 1.03
/** The used members of a socket. */
const idle = { destroyed: false, once: () => idle, on: () => idle, remoteAddress: '127.0.0.1', setTimeout: () => idle }
const self = fileURLToPath(import.meta.url)
const [first, second] = process.argv.slice(2)

if (first === 'measure') console.log(JSON.stringify(await measure(second)))
else if (first === undefined) throw new Error('expected the root of a repository with another build')
else for (const extension of ['cjs', 'js']) compareBuilds(resolve(first), Number(second ?? 11), extension)

function compareBuilds(root, rounds, extension) {
  if (!(rounds >= 5 && rounds <= 99)) throw new RangeError(`rounds: expected 5 to 99, received ${rounds}`)
  const temporary = mkdtempSync(join(tmpdir(), 'upkeep-builds-'))
  try {
    const theirs = packageOf(root)
    const copies = [1, 2, 3].map((lines) => shiftedCopy(theirs, join(temporary, `${lines}`), lines * 7))
    const ours = packageOf(resolve(import.meta.dirname, '..'))
    const fastest = fastestOf([ours, theirs, ...copies], rounds, extension)
    printRatios(fastest(ours), [theirs, ...copies].map(fastest), rounds, extension)
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

function packageOf(root) {
  return resolve(root, 'build/node_modules/upkeep')
}

/** Copies a package, with an unused function of so many lines before the code of each file. */
function shiftedCopy(source, copy, lines) {
  cpSync(source, copy, { recursive: true })
  const unused = `function unused() {\n${'  console.log(arguments)\n'.repeat(lines)}}\n`
  for (const name of readdirSync(join(copy, 'dist')).filter((each) => /\.c?js$/.test(each))) {
    const code = readFileSync(join(copy, 'dist', name), 'utf8')
    if (!code.startsWith('#!')) writeFileSync(join(copy, 'dist', name), unused + code)
  }
  return copy
}

/** Returns a function that returns the fastest times of a package. */
function fastestOf(packages, rounds, extension) {
  const fastest = new Map(packages.map((each) => [each, {}]))
  for (let round = 0; round < rounds; round += 1) {
    for (const each of shuffled(packages)) {
      const times = fastest.get(each)
      for (const [name, time] of Object.entries(run(each, extension))) times[name] = Math.min(time, times[name] ?? time)
    }
  }
  return (each) => fastest.get(each)
}

function printRatios(ours, theirs, rounds, extension) {
  const rows = Object.entries(ours).map(([name, time]) => {
    const same = theirs.map((each) => each[name])
    const [least, greatest] = [Math.min(...same), Math.max(...same)]
    return {
      function: name,
      ns: cut(time),
      'same builds, ns': `${cut(least)} to ${cut(greatest)}`,
      ratio: cut(time / same[0]),
      met: time <= greatest * limit,
    }
  })
  console.log(`Node ${process.version}, .${extension} files, the fastest of ${rounds} rounds`)
  console.table(rows)
  if (rows.some(({ met }) => !met)) process.exitCode = 1
}

function run(folder, extension) {
  const words = [self, 'measure', JSON.stringify({ folder: join(folder, 'dist'), extension })]
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
