// Runs every benchmark, one process after another: `npm run bench [name …]`. Ends with 1 when one of them misses a
// goal.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const all = [
  'import',
  'formats',
  'meters',
  'api-instruments',
  'scrape',
  'memory',
  'observe',
  'health',
  'tracing',
  'logging',
  'ids',
  'probe',
  'otlp',
  'otlp-limit',
  'diagnostics',
  'recorder',
  'console',
  'console-page',
  'why',
  'discovery',
  'cluster',
  'timers',
]
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0)
  throw new RangeError(`There is no benchmark ${unknown.join(', ')}; there are: ${all.join(', ')}`)

for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n== ${name}`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.mjs`)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
