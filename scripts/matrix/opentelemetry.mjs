// Installs the packed package into an empty folder, with what it asks for there by itself, and has
// scripts/otlp-check.mjs export over it: line 2 of OpenTelemetry on Node 20, line 3 on Node 24. Usage, after `npm run
// build`: node scripts/matrix/opentelemetry.mjs [2 3]
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createResults, root } from './results.mjs'

const lines = new Map([
  ['2', '20.20.2'],
  ['3', '24.21.0'],
])
const repository = root
const receiver = '@elastic/mockotlpserver@0.10.0'
const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

const asked = process.argv.slice(2)
const results = createResults('opentelemetry')
const work = mkdtempSync(join(tmpdir(), 'upkeep-opentelemetry-'))
try {
  const [{ filename }] = JSON.parse(run(repository, 'npm', ['pack', '--json', '--pack-destination', work]))
  for (const line of asked.length > 0 ? asked : lines.keys()) {
    const began = performance.now()
    const version = lines.get(line)
    if (version === undefined) throw new Error(`unknown line ${line}: one of ${[...lines.keys()].join(', ')}`)
    const told = check(line, version, join(work, filename))
    results.add('OpenTelemetry', `${line}.x`, 'exports over its SDK')
    console.log(`ok   OpenTelemetry ${line}.x in ${((performance.now() - began) / 1_000).toFixed(1)} s: ${told}`)
  }
  if (asked.length === 0) results.write()
} catch (error) {
  console.log(`FAIL ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

function check(line, version, tarball) {
  const folder = mkdtempSync(join(work, 'folder-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  copyFileSync(join(repository, 'scripts/otlp-check.mjs'), join(folder, 'check.mjs'))
  run(folder, 'npm', [...install, tarball, receiver])
  const missing = runOn(version, folder, ['check.mjs', 'missing'])
  const [, wanted] = /npm install ((?:@opentelemetry\/[\w-]+@\d+\.\d+\.\d+ ?)+)$/m.exec(missing) ?? []
  if (wanted === undefined) throw new Error(`line ${line}: nothing to install is named in ${missing}`)
  run(folder, 'npm', [...install, ...wanted.trim().split(' ')])
  return runOn(version, folder, ['check.mjs', line]).trim()
}

function runOn(version, folder, args) {
  const own = process.versions.node.split('.')[0] === version.split('.')[0]
  if (own) return run(folder, process.execPath, args)
  return run(folder, 'npx', ['--yes', '--package', `node@${version}`, '--', 'node', ...args])
}

function run(cwd, command, args) {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 900_000 })
  if (done.status === 0) return done.stdout
  throw new Error(`${command} ${args.join(' ')}\n${done.stdout}${done.stderr}${done.error ?? ''}`)
}
