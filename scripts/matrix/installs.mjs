// Installs the packed package into new projects beside packages that people have already, old and new, with npm, pnpm
// and Yarn Plug'n'Play, and loads it there. Usage, after `npm run build`: node scripts/matrix/installs.mjs [npm pnpm yarn]
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createResults, root } from './results.mjs'

const execute = promisify(execFile)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tarball = join(root, `build/upkeep-${version}.tgz`)

const projects = [
  '@opentelemetry/sdk-node@0.57.2',
  '@opentelemetry/sdk-node@0.203.0',
  '@opentelemetry/sdk-node@0.222.0',
  '@opentelemetry/sdk-node@latest',
  '@sentry/node@8',
  '@sentry/node@9',
  '@sentry/node@10',
  'fastify@4',
  'hono@3',
  'pino@8',
]

/** Loads the package in both ways; beside OpenTelemetry, telemetry starts or says what to install instead. */
const check = `
const assert = require('node:assert/strict')
void (async () => {
  const required = require('upkeep')
  const { createManagement } = await import('upkeep')
  assert.equal(required.createManagement, createManagement)
  const { startTelemetry } = await import('upkeep/otlp')
  try {
    const telemetry = await startTelemetry({ management: createManagement(), url: 'http://127.0.0.1:9' })
    await telemetry.shutdown()
  } catch (error) {
    assert.match(error.message, /npm install/)
  }
})()
`

const registry = (await execute('npm', ['config', 'get', 'registry'], { cwd: root })).stdout.trim()
const yarnSettings = {
  YARN_NPM_REGISTRY_SERVER: registry,
  YARN_ENABLE_TELEMETRY: '0',
  YARN_ENABLE_SCRIPTS: 'false',
  YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  YARN_NODE_LINKER: 'pnp',
  ...(process.env.NODE_EXTRA_CA_CERTS && { YARN_HTTPS_CA_FILE_PATH: process.env.NODE_EXTRA_CA_CERTS }),
}
const managers = {
  npm: {
    title: 'npm',
    add: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    run: ['node'],
  },
  pnpm: {
    title: 'pnpm 10',
    add: ['npx', '--yes', 'pnpm@10', 'add', '--ignore-scripts', '--prefer-offline'],
    run: ['node'],
  },
  yarn: {
    title: "Yarn 4, Plug'n'Play",
    add: ['npx', '--yes', '@yarnpkg/cli-dist@4', 'add'],
    run: ['npx', '--yes', '@yarnpkg/cli-dist@4', 'node'],
    env: yarnSettings,
  },
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in managers))
if (unknown.length > 0)
  throw new RangeError(`expected ${Object.keys(managers).join(', ')}, received ${unknown.join(', ')}`)
const rows = (asked.length > 0 ? asked : Object.keys(managers)).flatMap((manager) =>
  projects.map((beside) => ({ manager, beside })),
)
const folder = mkdtempSync(join(tmpdir(), 'upkeep-installs-'))
let passed = 0
let failed = 0
try {
  // Two at a time: most of it waits for the registry or the disk.
  await Promise.all([work(), work()])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
if (failed === 0 && asked.length === 0) {
  const results = createResults('installs')
  for (const { title } of Object.values(managers))
    results.add(title, 'current', `installs beside ${projects.length} other packages`)
  for (const beside of projects) {
    const at = beside.lastIndexOf('@')
    results.add(beside.slice(0, at), beside.slice(at + 1), 'loads beside it')
  }
  results.write()
}

async function work() {
  for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
    const { manager, beside } = row
    const began = performance.now()
    const problem = await install(row).then(
      () => undefined,
      (error) => `\n${error.stdout ?? ''}${error.stderr ?? error}`,
    )
    if (problem === undefined) passed += 1
    else failed += 1
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    console.log(
      `${problem === undefined ? 'ok  ' : 'FAIL'} ${manager} beside ${beside} in ${seconds} s${problem ?? ''}`,
    )
  }
}

async function install({ manager, beside }) {
  const project = join(folder, `${manager}-${beside.replace(/[^\w.]+/g, '-')}`)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true }\n')
  // Yarn takes the folder for a project of its own by this file, and pnpm for no workspace of another.
  writeFileSync(join(project, manager === 'yarn' ? 'yarn.lock' : '.npmrc'), '')
  writeFileSync(join(project, 'check.cjs'), check)
  const { add, run, env = {} } = managers[manager]
  const inProject = ([command, ...args]) =>
    execute(command, args, { cwd: project, env: { ...process.env, ...env }, timeout: 900_000 })
  await inProject([...add, beside])
  await inProject([...add, manager === 'yarn' ? `upkeep@file:${tarball}` : tarball])
  await inProject([...run, 'check.cjs'])
  rmSync(project, { recursive: true, force: true })
}
