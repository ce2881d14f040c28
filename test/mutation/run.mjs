// Runs Stryker over modules of src/, one after another, and prints the score of each: the share of mutants for which a
// test fails. Reports are written to build/mutation/. Usage: npm run mutate [-- module … --share 0.2 --seed 1]; without
// a module, all eight. `--share` takes a random part of the mutants, which the seed determines.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from '../../scripts/install-packages.mjs'

const modules = ['http', 'health', 'metrics', 'ids', 'tracing', 'prometheus', 'management', 'otlp']
const root = resolve(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
})
const unknown = positionals.find((name) => !modules.includes(name))
if (unknown !== undefined) throw new Error(`expected one of ${modules.join(', ')}, received ${unknown}`)

installPackages(import.meta.dirname)
const rows = (positionals.length > 0 ? positionals : modules).map(mutate)
for (const row of rows) console.log(row)

/** Runs Stryker over a module and returns a line with its score. */
function mutate(module) {
  const environment = { UPKEEP_MUTATED: module, UPKEEP_MUTANT_SHARE: values.share, UPKEEP_MUTANT_SEED: values.seed }
  const stryker = join(import.meta.dirname, 'node_modules/.bin/stryker')
  run(stryker, ['run', 'test/mutation/stryker.config.mjs'], environment)
  const { files } = JSON.parse(readFileSync(join(root, `build/mutation/${module}.json`), 'utf8'))
  const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 }
  const survivors = []
  for (const [file, { mutants }] of Object.entries(files)) {
    for (const { status, location, mutatorName, replacement } of mutants) {
      if (status in counts) counts[status] += 1
      if (status !== 'Survived' && status !== 'NoCoverage') continue
      survivors.push(`${file}:${location.start.line}:${location.start.column} ${mutatorName} ${replacement ?? ''}`)
    }
  }
  writeFileSync(join(root, `build/mutation/${module}-survivors.txt`), `${survivors.join('\n')}\n`)
  const detected = counts.Killed + counts.Timeout
  const all = detected + counts.Survived + counts.NoCoverage
  const score = ((100 * detected) / all).toFixed(1)
  return `${module}: ${score} % of ${all} mutants (share ${values.share}, seed ${values.seed})`
}

function run(command, args, environment) {
  const { status } = spawnSync(command, args, { cwd: root, env: { ...process.env, ...environment }, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: status ${status}`)
}
