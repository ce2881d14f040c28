// Runs the lanes of tests again and again, some of the runs beside busy processes and a disk that is written to, and prints
// a line for each run. Ends with 1 if a run has failed; its output is kept in build/repeated/. Usage, after
// `npm run build`: npm run test:repeat [-- --lane deterministic --runs 20 --disturbed 10]; without a lane, the lane of
// `npm test` 20 times, 10 of them disturbed, then that of `npm run test:machine` 10 times, 3 of them disturbed. All of it
// takes five hours: what is interrupted goes on with the next run of the same commit, by build/repeated/runs.log.
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { lane: { type: 'string' }, runs: { type: 'string' }, disturbed: { type: 'string' } },
})
const lanes = [
  { lane: 'deterministic', runs: 20, disturbed: 10 },
  { lane: 'machine', runs: 10, disturbed: 3 },
].filter(({ lane }) => values.lane === undefined || values.lane === lane)
if (lanes.length === 0) throw new Error(`--lane: expected deterministic or machine, received ${values.lane}`)

const output = join(root, 'build/repeated')
mkdirSync(output, { recursive: true })
const log = join(output, 'runs.log')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
/** Of a clone that has been changed, no run counts for another. */
const build = git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : `changed-${Date.now()}`
const results = []
for (const { lane, ...defaults } of lanes) {
  const runs = Number(values.runs ?? defaults.runs)
  const disturbed = Math.min(runs, Number(values.disturbed ?? defaults.disturbed))
  const isDisturbed = (run) => run > runs - disturbed
  let green = Math.min(runs, greenBefore(lane, isDisturbed))
  if (green > 0) console.log(`${lane}: ${green} before`)
  for (let run = green + 1; run <= runs; run++) if (await isGreen(lane, run, isDisturbed(run))) green += 1
  results.push({ lane, green, runs })
}
for (const { lane, green, runs } of results) console.log(`${lane}: ${green} of ${runs}`)
process.exit(results.every(({ green, runs }) => green === runs) ? 0 : 1)

/** Returns how many runs of this commit were green, one after another and up to the last, with the same disturbances. */
function greenBefore(lane, isDisturbed) {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  const runs = lines.map((line) => line.split(' ')).filter(([, commit, , name]) => commit === build && name === lane)
  const since = runs.slice(runs.findLastIndex(([, , result]) => result !== 'ok') + 1)
  const other = since.findIndex(([, , , , how], at) => how !== (isDisturbed(at + 1) ? 'disturbed' : 'alone'))
  return other < 0 ? since.length : other
}

/** Runs a lane once, and prints and keeps the result. */
async function isGreen(lane, run, isDisturbed) {
  const began = performance.now()
  const disturbances = isDisturbed ? disturb() : { end: () => {} }
  const { status, text } = await execute('npx', ['vitest', 'run', '--config', `test/lanes/${lane}.config.ts`])
  disturbances.end()
  const [counts = 'no test ran'] = /(?<=Tests\s+).*/.exec(text) ?? []
  const seconds = Math.round((performance.now() - began) / 1_000)
  const isOk = status === 0 && /\d+ passed/.test(counts)
  const result = `${isOk ? 'ok' : 'FAIL'} ${lane} ${isDisturbed ? 'disturbed' : 'alone'}`
  console.log(`${result}, run ${run}: ${counts}, ${seconds} s`)
  appendFileSync(log, `${new Date().toISOString()} ${build} ${result} ${counts}, ${seconds} s\n`)
  if (!isOk) writeFileSync(join(output, `${lane}-${run}.log`), text)
  return isOk
}

function execute(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  return new Promise((done) => child.on('close', (status) => done({ status, text })))
}

/** Starts one busy process per core, and one that writes files and waits until they are on the disk. */
function disturb() {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-repeat-'))
  const writing = `
    const { closeSync, fsyncSync, openSync, writeSync } = require('node:fs')
    const block = Buffer.alloc(1 << 20)
    for (;;) {
      const file = openSync(${JSON.stringify(join(folder, 'written'))}, 'w')
      for (let blocks = 0; blocks < 16; blocks++) writeSync(file, block)
      fsyncSync(file)
      closeSync(file)
    }`
  const programs = [...Array(availableParallelism()).fill('for (;;);'), writing]
  // Each ends by itself if this process is killed.
  const bounded = (program) => ['1800', process.execPath, '-e', program]
  const children = programs.map((program) => spawn('timeout', bounded(program), { stdio: 'ignore' }))
  return {
    end() {
      for (const child of children) child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
