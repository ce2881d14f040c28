// What finding the application's clients costs: the start of a process with `upkeep/auto`, without and with pools of pg;
// the memory of each that is found; and a request, in the first minute and after it. `npm run build`, then
// `node bench/discovery.mjs [rounds, 15 by default]`.
//
// The base of all is the same process with `UPKEEP_DISCOVER=false`. No pool connects. The control is that process against
// itself: differences below it are noise.
import { fork, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { load, median, missed, paired, report, shuffled } from './harness.mjs'

if (process.argv[2] === 'emitters') {
  process.send(await emitters(process.argv[3]))
  process.exit()
}
const rounds = Math.min(Number(process.argv[2] ?? 15), 100)
if (!(rounds >= 5)) throw new RangeError(`rounds must be 5 to 100, not ${process.argv[2]}`)
const pools = 60

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'build/discovery')
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, 'app.mjs'),
  `import { readFileSync } from 'node:fs'
  import { createServer } from 'node:http'
  import pg from 'pg'
  const heap = () => {
    for (let turn = 0; turn < 4; turn++) gc()
    return process.memoryUsage().heapUsed
  }
  const count = Number(process.argv[2])
  const poolOf = (_, at) => new pg.Pool({ host: '127.0.0.1', port: 1, database: 'd' + at })
  const pools = Array.from({ length: count }, poolOf)
  const server = createServer((req, res) => res.end()).listen(0, '127.0.0.1', async () => {
    // Of the thread: what V8 does in others, such as collecting garbage, differs more from start to start than is measured.
    const milliseconds = Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
    // They are told apart when the start is over.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    process.send({ milliseconds, kept: heap(), pools: pools.length })
  })`,
)

const cases = {
  'no client, off': { count: 0, discover: 'false' },
  'no client, off again': { count: 0, discover: 'false' },
  'no client, on': { count: 0, discover: 'true' },
  'one pool, off': { count: 1, discover: 'false' },
  'one pool, on': { count: 1, discover: 'true' },
  'pools, off': { count: pools, discover: 'false' },
  'pools, on': { count: pools, discover: 'true' },
}
const runs = []
for (let round = 0; round < rounds; round++) {
  const results = {}
  for (const name of shuffled(Object.keys(cases))) results[name] = await run(cases[name])
  runs.push(results)
}
// The tenth percentile: a start takes longer by what else the machine does, and never less.
const fastest = (name) => runs.map((each) => each[name].milliseconds).sort((a, b) => a - b)[Math.floor(rounds / 10)]
const seconds = (name) => fastest(name).toFixed(1)
for (const [what, name, goal] of [
  ['without a client', 'no client', { atMost: 1 }],
  ['with a pool', 'one pool', { atMost: 1 }],
  [`with ${pools} pools`, 'pools', {}],
]) {
  const [on, off] = [`${name}, on`, `${name}, off`]
  const detail = `${seconds(on)} and ${seconds(off)}`
  report(`discovery: CPU ms of a start ${what}`, fastest(on) - fastest(off), { ...goal, detail })
}
report('discovery: CPU ms of a start, control', fastest('no client, off again') - fastest('no client, off'))
const kept = median(runs.map((each) => each['pools, on'].kept - each['pools, off'].kept))
const keptWithout = median(runs.map((each) => each['no client, on'].kept - each['no client, off'].kept))
report('discovery: kB of each client found', (kept - keptWithout) / pools / 1024, { atMost: 10 })

const times = []
for (let round = 0; round < rounds; round++) {
  const result = {}
  for (const when of shuffled(['never', 'during', 'after'])) result[when] = await emittersApart(when)
  times.push(result)
}
const [during, after] = ['during', 'after'].map((when) => median(times.map((each) => each[when] - each.never)))
// A request creates about five: over a network it takes 30,000 ns at least.
report('discovery: ns that a new EventEmitter takes longer, first minute', during)
report('discovery: ns that a new EventEmitter takes longer, afterwards', after, { atMost: 10 })
process.exit(missed().length > 0 ? 1 : 0)

async function run({ count, discover }) {
  const auto = join(root, 'build/node_modules/upkeep/dist/auto.js')
  const child = spawn(process.execPath, ['--expose-gc', '--import', auto, 'app.mjs', String(count)], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      UPKEEP_HOST: '127.0.0.1',
      UPKEEP_PORT: '0',
      UPKEEP_QUIET: 'true',
      UPKEEP_DISCOVER: discover,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return message
}

/** Returns the nanoseconds of a new emitter in a process of its own: without discovery, during its minute, or after it. */
async function emitters(when) {
  const { discoverClients } = await load('upkeep/health')
  const discovery = when === 'never' ? undefined : discoverClients()
  if (when === 'after') discovery.close()
  const create = (n) => {
    let last
    for (let at = 0; at < n; at++) last = new EventEmitter()
    return last
  }
  return paired({ create }, { rounds: 21 }).nanoseconds('create')
}

async function emittersApart(when) {
  const child = fork(import.meta.filename, ['emitters', when])
  const [nanoseconds] = await once(child, 'message')
  await once(child, 'exit')
  return nanoseconds
}
