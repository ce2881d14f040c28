import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingServer, startConformingServer } from '../../contract/support/conforming-server.ts'

const root = resolve(import.meta.dirname, '../../..')
const bin = (name: string) => resolve(import.meta.dirname, 'node_modules', name)

/** The same cases for each runner: two hold, one is skipped, one is broken. */
const loop = `
const cases = contract({
  baseUrl: process.env.CONTRACT_URL,
  only: ['info.object', 'probes.liveness.200', 'webhook.ok.body', 'health.details.authorized'],
  token: process.env.CONTRACT_TOKEN,
})
for (const c of cases) it(c.title, c.run)
`
const esm = `import { contract } from 'upkeep/contract'\n`

const runners = [
  {
    name: 'vitest',
    file: 'contract.test.mjs',
    text: `${esm}import { it } from 'vitest'\n${loop}`,
    command: [
      resolve(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      '.',
      '--reporter',
      'verbose',
      '--no-color',
    ],
    counts: [/2 passed/, /1 failed/, /1 skipped/],
    tells: /webhook\.ok\.body.*\[no webhook: pass its path as the option hook \(--hook\)\]/,
  },
  {
    name: 'Jest',
    file: 'contract.test.cjs',
    text: `const { contract } = require('upkeep/contract')\n${loop}`,
    command: [bin('jest/bin/jest.js'), '--rootDir', '.', '--testRegex', 'contract\\.test\\.cjs$', '--ci'],
    counts: [/3 passed/, /1 failed/],
    tells: /skipped webhook\.ok\.body: no webhook: pass its path as the option hook \(--hook\)/,
  },
  {
    name: 'Mocha',
    file: 'contract.test.mjs',
    text: esm + loop,
    command: [bin('mocha/bin/mocha.js'), 'contract.test.mjs'],
    counts: [/2 passing/, /1 failing/, /1 pending/],
    tells: /webhook\.ok\.body.*\(no webhook: pass its path as the option hook \(--hook\)\)/,
  },
  {
    name: 'node:test',
    file: 'contract.test.mjs',
    text: `${esm}import { it } from 'node:test'\n${loop}`,
    command: ['--test', '--test-reporter=tap', 'contract.test.mjs'],
    counts: [/# pass 2/, /# fail 1/, /# skipped 1/],
    tells: /webhook\.ok\.body.*# SKIP no webhook: pass its path as the option hook \(--hook\)/,
  },
]

let server: ConformingServer
const folders: string[] = []
beforeAll(async () => {
  server = await startConformingServer()
})
afterAll(async () => {
  await server.close()
  for (const folder of folders) await rm(folder, { recursive: true })
})

describe.each(runners)('the contract in $name', ({ file, text, command, counts, tells }) => {
  it('runs tests that pass, fail with what was expected, and are skipped with the reason', async () => {
    // Below build/, where the packed package is installed.
    const folder = await mkdtemp(resolve(root, 'build/runner-'))
    folders.push(folder)
    await writeFile(resolve(folder, file), text)
    // Otherwise vitest would use the configuration of the repository.
    await writeFile(resolve(folder, 'vitest.config.mjs'), 'export default {}\n')
    const printed = await run(folder, command, `http://127.0.0.1:${server.port}`)
    for (const count of counts) expect(printed).toMatch(count)
    expect(printed).toMatch(tells)
    expect(printed).toContain('expected  a report with details of some component')
    expect(printed).toContain('sent      GET /management/health')
  })
})

/** Returns the output of a runner, which must fail because a case is broken. */
function run(folder: string, command: readonly string[], url: string): Promise<string> {
  const { NODE_OPTIONS, VITEST, ...rest } = process.env
  const env = { ...rest, CONTRACT_URL: url, CONTRACT_TOKEN: 'wrong', NO_COLOR: '1', NODE_TEST_CONTEXT: undefined }
  return new Promise((resolve, reject) => {
    let printed = ''
    const child = spawn(process.execPath, command, { cwd: folder, env })
    child.stdout.on('data', (chunk) => (printed += chunk))
    child.stderr.on('data', (chunk) => (printed += chunk))
    child.on('close', (code) => (code === 0 ? reject(new Error(`passed:\n${printed}`)) : resolve(printed)))
  })
}
