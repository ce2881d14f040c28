// Runs the smoke of the built package on every supported Node, and on Bun and Deno what is for fetch servers. Usage:
// node scripts/matrix.mjs [20 22 24 26 bun deno] The Node that runs this serves its own version; the others come from
// the npm packages `node`, `bun` and `deno`, through npx.
import { spawnSync } from 'node:child_process'

const versions = new Map([
  ['20', '20.20.2'],
  ['22', '22.23.3'],
  ['24', '24.21.0'],
  ['26', '26.10.0'],
  ['bun', '1.4.5'],
  ['deno', '2.9.6'],
])
const fetchServers = new Map([
  ['bun', ['bun', 'scripts/fetch-smoke.mjs']],
  ['deno', ['deno', 'run', '--allow-all', 'scripts/fetch-smoke.mjs']],
])

const asked = process.argv.slice(2)
let failed = 0
for (const major of asked.length > 0 ? asked : versions.keys()) {
  const version = versions.get(major)
  if (version === undefined) throw new Error(`unknown version ${major}: one of ${[...versions.keys()].join(', ')}`)
  const began = performance.now()
  const own = process.versions.node.startsWith(`${major}.`)
  const smoke = ['scripts/smoke.mjs', major]
  const program = fetchServers.has(major) ? major : 'node'
  const [command, args] = own
    ? [process.execPath, smoke]
    : ['npx', ['--yes', '--package', `${program}@${version}`, '--', ...(fetchServers.get(major) ?? ['node', ...smoke])]]
  const done = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
  const ok = done.status === 0
  if (!ok) failed += 1
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${program} ${version} in ${seconds} s: ${ok ? done.stdout.trim() : '\n'}`)
  if (!ok) console.log(done.stdout, done.stderr, done.error ?? '')
}
process.exitCode = failed === 0 ? 0 : 1
