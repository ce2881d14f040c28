// What Node loads beside what bundlers read: the packed package's CommonJS and ES modules, function by function, each
// in fresh processes. Usage, after `npm run build`: node bench/formats.mjs [rounds, 11 by default]
//
// A round runs ES modules, the same once more, and CommonJS, each in a process of its own and in random order. The
// first table row to read is the ES modules against themselves: what lies within that spread is noise. Exits with 1
// when a function is more than a tenth slower in CommonJS, beyond that spread.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { load, median, shuffled } from './harness.mjs'

const limit = 1.1
const self = fileURLToPath(import.meta.url)

if (process.argv[2] === 'measure') {
  console.log(JSON.stringify(await measure()))
} else {
  const rounds = Math.min(Number(process.argv[2] ?? 11), 99)
  if (!(rounds >= 5)) throw new RangeError(`rounds: expected 5 to 99, received ${process.argv[2]}`)
  compareFormats(rounds)
}

function compareFormats(rounds) {
  const ratios = {}
  for (let round = 0; round < rounds; round += 1) {
    const times = {}
    for (const [name, format] of shuffled([
      ['esm', 'bundled'],
      ['again', 'bundled'],
      ['cjs', 'node'],
    ]))
      times[name] = run(format)
    for (const name of Object.keys(times.esm)) {
      ratios[name] ??= { again: [], cjs: [] }
      ratios[name].again.push(times.again[name] / times.esm[name])
      ratios[name].cjs.push(times.cjs[name] / times.esm[name])
    }
  }
  const rows = Object.entries(ratios).map(([name, { again, cjs }]) => {
    const spread = Math.abs(median(again) - 1)
    const ratio = median(cjs)
    return {
      function: name,
      'ESM ÷ itself': round(median(again)),
      'CommonJS ÷ ESM': round(ratio),
      met: ratio <= limit + spread,
    }
  })
  console.log(`Node ${process.version}, ${rounds} rounds; medians of the ratios within a round`)
  console.table(rows)
  if (rows.some(({ met }) => !met)) process.exitCode = 1
}

function run(format) {
  const env = { ...process.env, UPKEEP_FORMAT: format }
  const { status, stdout, stderr } = spawnSync(process.execPath, [self, 'measure'], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Returns the nanoseconds that one call takes, by name: the fastest of many short samples. */
async function measure() {
  const { createManagement } = await load('upkeep')
  const { createMeterRegistry } = await load('upkeep/metrics')
  const { uuidV7, uuidV4, parseTraceparent } = await load('upkeep/ids')
  const { manage, observe } = await load('upkeep/node')
  const { createLogger } = await load('upkeep/logging')
  const meters = createMeterRegistry()
  const counter = meters.counter('orders')
  const timer = meters.timer('latency')
  const tagged = meters.counters('tagged', ['region'])
  const field = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const management = createManagement({ metrics: { runtime: false } })
  const health = {
    method: 'GET',
    target: '/management/health',
    headers: {},
    base: '',
    body: () => ({ kind: 'parsed' }),
  }
  const logger = createLogger({ application: { name: 'bench' }, write: () => {} })
  if (typeof manage !== 'function' || typeof observe !== 'function') throw new Error('upkeep/node is not whole')
  const contenders = {
    uuidV7: () => uuidV7(),
    uuidV4: () => uuidV4(),
    parseTraceparent: () => parseTraceparent(field),
    'counter.increment': () => counter.increment(),
    'timer.record': () => timer.record(0.012),
    'counters(region).increment': () => tagged.with('eu').increment(),
    'management(health)': () => management(health),
    'logger.info': () => logger.info('placed'),
  }
  return Object.fromEntries(Object.entries(contenders).map(([name, call]) => [name, fastest(call)]))
}

function fastest(call) {
  let best = Number.POSITIVE_INFINITY
  let kept
  for (let sample = 0; sample < 40; sample += 1) {
    const start = performance.now()
    for (let at = 0; at < 5_000; at += 1) kept = call()
    best = Math.min(best, ((performance.now() - start) * 1e6) / 5_000)
  }
  if (kept === fastest) throw new Error('unreachable')
  return best
}

function round(ratio) {
  return Math.round(ratio * 1_000) / 1_000
}
