// Runs the packed package, installed into new projects, with the oldest and the newest version of each framework, and
// compiles a strict program with the oldest and the newest TypeScript. Usage, after `npm run build`:
// node scripts/matrix/frameworks.mjs [what, such as express]
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listenAs } from '../surface/frameworks.mjs'
import { createResults, root } from './results.mjs'

const execute = promisify(execFile)
const { version: own, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tarball = join(root, `build/upkeep-${own}.tgz`)
const newest = (name) => devDependencies[name].replace(/^npm:.*@/, '')

/** By framework, the versions that run, and what else a project of it has. The newest are those of `npm test`. */
const frameworks = {
  express: { title: 'Express', versions: ['4.16.0', '4.22.0', '5.0.0', newest('express')], others: [] },
  koa: { title: 'Koa', versions: ['2.7.0', '2.16.0', '3.0.0', newest('koa')], others: [] },
  fastify: { title: 'Fastify', versions: ['5.0.0', newest('fastify')], others: [] },
  hono: { title: 'Hono', versions: ['4.1.0', newest('hono')], others: ['@hono/node-server@1'] },
}

const program = `
import { createServer } from 'node:http'
import { createManagement, bearerToken, type Management } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { listen, manage, observe } from 'upkeep/node'
export const management: Management = createManagement({
  application: { name: 'orders' },
  loggers: createLogger({ application: { name: 'orders' } }).loggers,
  authorize: bearerToken('secret'),
  health: { indicators: { db: () => ({ status: 'UP' as const }) } },
})
const [observed, managed] = [observe(management), manage(management)]
createServer((req, res) => observed(req, res, () => managed(req, res, () => res.end('ok'))))
void listen(management, { port: 0 })
// @ts-expect-error there is no such option
createManagement({ basePaht: '/actuator' })
`
const compilers = ['5.0.4', newest('typescript'), newest('typescript-7')]

if (process.argv[2] === '--serve') await serve(process.argv[3], process.argv[4])
else await runAll(process.argv.slice(2))

async function runAll(asked) {
  const rows = [
    ...Object.entries(frameworks).flatMap(([name, { title, versions, others }]) =>
      versions.map((version) => ({
        ...{ name, title, version, packages: [`${name}@${version}`, ...others] },
        check: (project) => execute(process.execPath, [fileURLToPath(import.meta.url), '--serve', project, name]),
        checks: 'observes, serves, and keeps the contract',
      })),
    ),
    ...compilers.map((version) => ({
      ...{ name: 'typescript', title: 'TypeScript', version, packages: [`typescript@${version}`, '@types/node@20'] },
      check: compile,
      checks: 'a strict project, with the declarations checked',
    })),
  ].filter(({ name }) => asked.length === 0 || asked.includes(name))
  const waiting = [...rows]
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-frameworks-'))
  const passed = new Set()
  try {
    // Two at a time: most of it waits for the registry or the disk.
    await Promise.all([work(waiting, folder, passed), work(waiting, folder, passed)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`${passed.size} passed, ${rows.length - passed.size} failed`)
  process.exitCode = passed.size === rows.length ? 0 : 1
  if (passed.size < rows.length || asked.length > 0) return
  const results = createResults('frameworks')
  for (const { title, version, checks } of rows) results.add(title, version, checks)
  results.write()
}

async function work(rows, folder, passed) {
  for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
    const { name, title, version, packages, check } = row
    const began = performance.now()
    const project = join(folder, `${name}-${version}`)
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n')
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages, tarball]
    try {
      await execute('npm', install, { cwd: project, timeout: 900_000 })
      await check(project)
      passed.add(row)
      console.log(`ok   ${title} ${version} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    } catch (error) {
      console.log(`FAIL ${title} ${version}\n${error.stdout ?? ''}${error.stderr ?? error}`)
    }
    rmSync(project, { recursive: true, force: true })
  }
}

/** Serves a framework from a project, sends requests, and asks the contract. */
async function serve(project, name) {
  const require = createRequire(join(project, 'package.json'))
  const { createManagement } = require('upkeep')
  const management = createManagement({
    application: { name: 'orders' },
    expose: ['health', 'info', 'metrics', 'prometheus'],
    report: () => {},
  })
  const { origin, close } = await listenAs(name, require, management, () => {})
  for (const path of ['/orders/1', '/orders/2', '/failing', '/nowhere']) await (await fetch(origin + path)).text()
  const page = await (await fetch(`${origin}/management/prometheus`, { headers: { accept: 'text/plain' } })).text()
  const counts = new Map(
    [...page.matchAll(/^http_server_requests_seconds_count\{(.*)\} (\d+)$/gm)].map(([, tags, count]) => [
      ['uri', 'status'].map((tag) => new RegExp(`${tag}="([^"]*)"`).exec(tags)?.[1]).join(' '),
      Number(count),
    ]),
  )
  // The service of Koa has no router.
  const ordered = name === 'koa' ? counts.get('UNKNOWN 200') : counts.get('/orders/:id 200')
  assert.ok(ordered >= 2, `expected two requests of a template, received ${page}`)
  assert.ok(
    [...counts].some(([labels]) => labels.endsWith(' 500')),
    `expected a failed request, received ${page}`,
  )
  const command = [join(project, 'node_modules/upkeep/dist/cli.cjs'), 'contract', `${origin}/management`]
  await execute(process.execPath, command)
  await close()
  management.close()
}

async function compile(project) {
  const options = {
    ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, target: 'es2022' },
    ...{ lib: ['es2023'], types: ['node'], module: 'node16', moduleResolution: 'node16' },
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['orders.mts'] }))
  writeFileSync(join(project, 'orders.mts'), program)
  await execute('npx', ['tsc', '-p', '.'], { cwd: project })
}
