// This build beside earlier ones, so that what became slower shows as a ratio on one machine: `node bench/history.mjs
// [rounds] [commit …]`, after `npm run build`. Without a commit, those of `commits`.
//
// Builds the package of each commit once, in build/history/, and runs today's workloads against its public API. A round
// runs each workload with each build, in a process of its own; what counts is the median over the rounds of the
// processor's time. `n/a` where a build lacks what a workload uses.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { median, shuffled } from './harness.mjs'

/** The first and the second edition. */
const commits = ['89e0c72', 'ff77393']

const root = resolve(import.meta.dirname, '..')
const cache = join(root, 'build/history')
const [rounds = '15', ...asked] = process.argv.slice(2)
const count = Number(rounds)
if (!(count >= 5 && count <= 99)) throw new RangeError(`rounds: expected 5 to 99, received ${rounds}`)

const receiver = createServer((req, res) => req.resume().on('end', () => res.end()))
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const url = JSON.stringify(`http://127.0.0.1:${receiver.address().port}`)

/** The requests of these pass through the application in the process, over no network. */
const inject = `
  import { timeOf } from ${JSON.stringify(join(import.meta.dirname, 'inject.mjs'))}
  import { createManagement } from 'upkeep'
  import { observe } from 'upkeep/node'
  const management = createManagement({ metrics: { runtime: false } })
  const request = (i) => ({ url: '/orders/' + (i & 63), headers: ['X-Request-Id', 'request-' + (i & 63)] })
  async function run(listener) {
    const times = []
    for (let round = 0; round < 12; round += 1) times.push(await timeOf(listener, 2_000, request))
    result = times.sort((one, other) => one - other)[6]
  }
  const observed = observe(management, { route: () => '/orders/:id' })
  const answer = (_req, res) => res.end('ok')`
const workloads = {
  "import 'upkeep', ms": { code: "import 'upkeep'", base: 'start' },
  "import 'upkeep/express', ms": { code: "import 'upkeep/express'", base: 'start' },
  'health, to its first response, ms': {
    code: `
      import { createManagement } from 'upkeep'
      const management = createManagement({ health: { indicators: { db: () => ({ status: 'UP' }) } } })
      await management({ method: 'GET', target: '/management/health', headers: {}, base: '', body() {} })`,
    base: 'start',
  },
  'observe, µs a request': {
    code: `${inject}\nawait run((req, res) => observed(req, res, () => answer(req, res)))`,
    base: 'bare',
  },
  'traced and exported, µs a request': {
    code: `${inject}
      import { startTelemetry } from 'upkeep/otlp'
      await startTelemetry({ management, url: ${url}, metrics: false, logs: false })
      await run((req, res) => observed(req, res, () => answer(req, res)))`,
    base: 'bare',
  },
}
/** What the workloads are compared with: Node alone, and the application alone. */
const bases = { start: '', bare: `${inject}\nawait run(answer)` }

const builds = { now: join(root, 'build/node_modules/upkeep') }
for (const commit of asked.length > 0 ? asked : commits) builds[commit] = buildOf(commit)
const all = Object.entries({
  ...workloads,
  ...Object.fromEntries(Object.entries(bases).map(([name, code]) => [name, { code }])),
})
const cases = Object.keys(builds).flatMap((build) => all.map(([name, { code }], at) => write(build, name, at, code)))

const times = new Map(cases.map(({ key }) => [key, []]))
for (let round = 0; round < count; round += 1) {
  for (const { key, file } of shuffled(cases)) times.get(key).push(await run(file))
}
receiver.close()

const rows = Object.entries(workloads).map(([name, { base }]) => {
  const values = Object.keys(builds).map((build) => {
    const added = times.get(`${build} ${name}`).map((time, round) => time - times.get(`${build} ${base}`)[round])
    const value = median(added)
    return [build, Number.isNaN(value) ? 'n/a' : Number(value.toFixed(2))]
  })
  return { workload: name, ...Object.fromEntries(values) }
})
console.log(
  `Node ${process.version}, medians of ${count} rounds, processor time on top of Node or of the application alone`,
)
console.table(rows)

/** Builds the package of a commit, and returns where it is. */
function buildOf(commit) {
  const folder = join(cache, commit)
  const installed = join(folder, 'build/node_modules/upkeep')
  if (existsSync(join(installed, 'package.json'))) return installed
  console.log(`Building ${commit} …`)
  execute(root, 'git', 'clone', '--quiet', '--shared', '.', folder)
  execute(folder, 'git', 'checkout', '--quiet', commit)
  execute(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  execute(folder, 'npm', 'run', 'build')
  if (existsSync(installed)) return installed
  // The first edition installed no package.
  mkdirSync(join(folder, 'build/node_modules'), { recursive: true })
  symlinkSync(folder, installed)
  return installed
}

function execute(cwd, command, ...args) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

/** Writes the program of a workload for a build. */
function write(build, name, at, code) {
  const folder = join(cache, 'projects', build)
  const packages = join(folder, 'node_modules')
  if (!existsSync(join(packages, 'upkeep'))) {
    mkdirSync(packages, { recursive: true })
    symlinkSync(builds[build], join(packages, 'upkeep'))
  }
  const file = join(folder, `${at}.mjs`)
  const tell = "import { writeSync } from 'node:fs'\nconst { user, system } = process.cpuUsage()"
  const result = 'writeSync(1, String(result ?? (user + system) / 1_000))\nprocess.exit()'
  writeFileSync(file, ['let result', code, tell, result].join('\n'))
  return { key: `${build} ${name}`, file }
}

/** Runs a program; returns what it tells, `NaN` if the build lacks what it uses. */
function run(file) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    child.on('close', (status) => done(status === 0 ? Number(text) : Number.NaN))
  })
}
