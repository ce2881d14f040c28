// Fuzzes every parser that sees a peer's bytes: `npm run fuzz`, `npm run fuzz -- --seconds 60 --only tracestate`.
// The seeds, and the texts that once broke something, are in test/fuzz/targets.ts.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' }, only: { type: 'string' } } })
if (!(Number(values.seconds) > 0))
  throw new TypeError(`--seconds: expected a number of seconds, received ${values.seconds}`)
const only = values.only === undefined ? [] : ['--testNamePattern', values.only]
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz', ...only], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, UPKEEP_FUZZ_SECONDS: values.seconds },
})
process.exitCode = status ?? 1
