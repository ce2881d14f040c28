// This build beside earlier ones, so that what became slower shows as a ratio on one machine: `node bench/history.mjs
// [rounds] [commit …]`, after `npm run build`. Without a commit, those of `commits`.
//
// Runs the workloads of history-workloads.mjs with each build. A round runs each workload with each build, in a process
// of its own and in random order; what counts is the median over the rounds. `n/a` where a build lacks what a workload
// uses.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOf, currentBuild, historyFolder, unpackedMegabytes } from './build-of.mjs'
import { median, shuffled } from './harness.mjs'
import { loadedBy, workloadsOf } from './history-workloads.mjs'

/** The first and the second edition. */
const commits = ['89e0c72', 'ff77393']

const [rounds = '15', ...asked] = process.argv.slice(2)
const count = Number(rounds)
if (!(count >= 5 && count <= 99)) throw new RangeError(`rounds: expected 5 to 99, received ${rounds}`)

const receiver = createServer((req, res) => req.resume().on('end', () => res.end()))
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')

const builds = {}
for (const commit of asked.length > 0 ? asked : commits) builds[commit] = buildOf(commit)
builds.now = currentBuild
const workloads = Object.entries(workloadsOf(JSON.stringify(`http://127.0.0.1:${receiver.address().port}`)))
const cases = Object.keys(builds).flatMap((build) =>
  workloads.map(([name, { code, rounds: most = count }], at) => ({
    key: `${build} ${name}`,
    file: write(build, `${at}.mjs`, code),
    most,
  })),
)

const figures = new Map(cases.map(({ key }) => [key, []]))
for (let round = 0; round < count; round += 1) {
  for (const { key, file, most } of shuffled(cases)) if (round < most) figures.get(key).push(await run(file))
}
receiver.close()
receiver.closeAllConnections()

const rows = workloads
  .filter(([, { isBase }]) => isBase !== true)
  .map(([name, { base }]) => {
    const addedOf = (build) =>
      figures
        .get(`${build} ${name}`)
        .map((figure, round) => figure - (base === undefined ? 0 : figures.get(`${build} ${base}`)[round]))
    return row(name, (build) => median(addedOf(build)))
  })
rows.push(
  row('loaded with health alone, kB', (build) => loadedKilobytes(write(build, 'loaded.mjs', loadedBy))),
  row('unpacked, MB', (build) => unpackedMegabytes(builds[build])),
)
console.log(`Node ${process.version}, medians of ${count} rounds, on top of Node or of the application alone`)
console.table(rows)

function row(workload, figureOf) {
  const values = Object.keys(builds).map((build) => {
    const value = figureOf(build)
    return [build, Number.isNaN(value) ? 'n/a' : Number(value.toFixed(2))]
  })
  return { workload, ...Object.fromEntries(values) }
}

/** Writes a program that imports the package of a build. */
function write(build, name, code) {
  const folder = join(historyFolder, 'projects', build)
  const packages = join(folder, 'node_modules')
  if (!existsSync(join(packages, 'upkeep'))) {
    mkdirSync(packages, { recursive: true })
    symlinkSync(builds[build], join(packages, 'upkeep'))
  }
  const tell = "import { writeSync } from 'node:fs'\nconst usage = process.cpuUsage()"
  const result = 'writeSync(1, String(result ?? (usage.user + usage.system) / 1_000))\nprocess.exit()'
  const file = join(folder, name)
  writeFileSync(file, ['let result', code, tell, result].join('\n'))
  return file
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

/** Returns the size of the files that a program has loaded, which V8 lists with its coverage. */
function loadedKilobytes(program) {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-loaded-'))
  try {
    spawnSync(process.execPath, [program], { env: { ...process.env, NODE_V8_COVERAGE: folder } })
    const urls = readdirSync(folder).flatMap((name) =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')).result.map(({ url }) => url),
    )
    const paths = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
    const loaded = new Set(paths.filter((path) => path !== program))
    return [...loaded].reduce((sum, path) => sum + statSync(path).size, 0) / 1_000
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
