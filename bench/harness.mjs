// How the benchmarks measure. Every contender has a loop of its own, `(n) => { for (…n…) … }`, so that none is measured
// through a call that the others have spoilt. All of them run in every round, in a fresh random order, and what counts
// is the median over the rounds of the ratio inside a round: whatever disturbs the machine disturbs both sides of a
// ratio.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { esbuildPageFiles } from '../scripts/page-files.mjs'
import { esbuildWorkerSource } from '../scripts/worker-source.mjs'

const format = process.env.UPKEEP_FORMAT ?? 'node'

/**
 * Imports an entry point of the packed package as Node does or, with `UPKEEP_FORMAT=bundled`, from the ES modules that
 * bundlers read; or bundles an internal module, `src/….ts`, and imports that.
 */
export async function load(entry) {
  const [, name] = /^upkeep(?:\/(.+))?$/.exec(entry) ?? []
  if (entry.startsWith('upkeep')) {
    const file = `${name ?? 'index'}.${format === 'bundled' ? 'js' : 'mjs'}`
    return import(new URL(`../build/node_modules/upkeep/dist/${file}`, import.meta.url).href)
  }
  const outfile = join(bundleFolder(), `${entry.replaceAll('/', '-')}.mjs`)
  const entryPoint = join(import.meta.dirname, '..', entry)
  await build({
    ...{ entryPoints: [entryPoint], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20' },
    plugins: [esbuildWorkerSource, esbuildPageFiles],
  })
  return import(pathToFileURL(outfile).href)
}

let bundles

/** Returns the folder of bundles, which is removed when the process exits. */
function bundleFolder() {
  if (bundles === undefined) {
    bundles = mkdtempSync(join(tmpdir(), 'upkeep-bench-'))
    process.once('exit', () => rmSync(bundles, { recursive: true, force: true }))
  }
  return bundles
}

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function shuffled(values) {
  const result = [...values]
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[result[at], result[other]] = [result[other], result[at]]
  }
  return result
}

/** What a contender answers is kept, so that no loop is optimized away. */
const last = { answer: undefined }

function timeOf(contender, n) {
  const start = performance.now()
  last.answer = contender(n)
  return ((performance.now() - start) * 1e6) / n
}

/** Runs a contender until it has surely been optimized, and says how many runs take so many milliseconds. */
function calibrate(contender, milliseconds) {
  const warmUntil = performance.now() + 120
  let n = 16
  for (;;) {
    const took = (timeOf(contender, n) * n) / 1e6
    if (took >= milliseconds && performance.now() > warmUntil) return Math.ceil((n * milliseconds) / took)
    if (took < milliseconds) n = Math.ceil(n * Math.min(8, Math.max(1.5, milliseconds / Math.max(took, 0.001))))
  }
}

/**
 * Measures contenders against each other, in many short samples, of which most are then free of interruptions: `{ name:
 * (n) => … }`, with `n` so that a sample takes its time, or `runs`.
 *
 * Answers `nanoseconds(name)`, the median time of one run, and `ratio(one, other)`, the median over the rounds of how
 * many times as long `one` takes as `other`.
 */
export function paired(contenders, { rounds = 41, sampleMilliseconds = 4, runs: fixed } = {}) {
  const names = Object.keys(contenders)
  const runs = {}
  const times = {}
  for (const name of names) {
    runs[name] = fixed ?? calibrate(contenders[name], sampleMilliseconds)
    if (fixed !== undefined) contenders[name](fixed)
    times[name] = []
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(names)) times[name].push(timeOf(contenders[name], runs[name]))
  }
  return {
    nanoseconds: (name) => median(times[name]),
    ratio: (one, other) => median(times[one].map((time, round) => time / times[other][round])),
  }
}

/**
 * The same for contenders that answer themselves, once a call, how long something took; a contender may be
 * asynchronous.
 */
export async function pairedValues(contenders, { rounds = 9 } = {}) {
  const names = Object.keys(contenders)
  const values = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(names)) values[name].push(await contenders[name]())
  }
  return {
    value: (name) => median(values[name]),
    ratio: (one, other) => median(values[one].map((value, round) => value / values[other][round])),
  }
}

const results = []

/**
 * Prints one line of a table: what was measured, the ratio, and whether it is within the goal (`at most` or `at
 * least`).
 */
export function report(what, ratio, { atMost, atLeast, detail = '' } = {}) {
  const met = (atMost === undefined || ratio <= atMost) && (atLeast === undefined || ratio >= atLeast)
  const goal = atMost === undefined ? (atLeast === undefined ? '' : `≥ ${atLeast}`) : `≤ ${atMost}`
  results.push({ what, ratio, goal, met })
  const verdict = goal === '' ? '' : met ? 'met' : 'MISSED'
  console.log(`${what.padEnd(62)} ${ratio.toFixed(2).padStart(9)} ${goal.padStart(8)}  ${verdict.padEnd(6)} ${detail}`)
  return met
}

/** The lines that were printed and missed their goal. */
export function missed() {
  return results.filter(({ met }) => !met)
}

/** Keeps a result in use, so that no loop is optimized away. */
export const sink = { value: 0 }
