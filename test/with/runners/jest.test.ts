import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { codeEntries, execute, repository, unpackPackage } from '../../support/package/packed.ts'

const packed = unpackPackage()
mkdirSync(join(repository, 'build'), { recursive: true })
// Below build/, where the packed package is installed, and the frameworks are found above it.
const folder = mkdtempSync(join(repository, 'build/jest-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
  packed.remove()
})

const program = `
const { createServer, get } = require('node:http')
const entries = ${JSON.stringify(codeEntries(packed))}

it.each(entries)('%s is CommonJS', (entry) => {
  expect(require.resolve(entry)).toMatch(/dist[\\\\/][\\w-]+\\.cjs$/)
  const values = Object.values(require(entry))
  // It is loaded for what it does.
  if (entry !== 'upkeep/auto') expect(values.length).toBeGreaterThan(0)
})

it('serves health to a traced request, and responds to errors', async () => {
  const { createManagement, currentTrace, HttpError } = require('upkeep')
  const { handleErrors, manage, observe } = require('upkeep/node')
  const management = createManagement({ application: { name: 'orders' }, metrics: { runtime: false }, tracing: true })
  const [observed, managed] = [observe(management), manage(management)]
  const traces = []
  const fail = () => {
    traces.push(currentTrace().traceId)
    throw new HttpError(409, 'Sold out.')
  }
  const server = createServer(handleErrors((req, res) => observed(req, res, () => managed(req, res, fail))))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = 'http://127.0.0.1:' + server.address().port
  const statusOf = (path) => new Promise((resolve, reject) => {
    get(url + path, { agent: false }, (res) => res.resume().on('end', () => resolve(res.statusCode)))
      .on('error', reject)
  })
  expect([await statusOf('/management/health'), await statusOf('/orders')]).toEqual([200, 409])
  expect(traces).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
  server.close()
  management.close()
})
`

it('Jest loads every entry point as CommonJS, without a flag of Node', () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  writeFileSync(join(folder, 'upkeep.test.cjs'), program)
  const jest = join(import.meta.dirname, 'node_modules/jest/bin/jest.js')
  const options = ['--rootDir', '.', '--testRegex', 'upkeep\\.test\\.cjs$', '--ci', '--json']
  const { numPassedTests, numFailedTests } = JSON.parse(execute(folder, process.execPath, jest, ...options))
  expect([numPassedTests, numFailedTests]).toEqual([codeEntries(packed).length + 1, 0])
}, 120_000)
