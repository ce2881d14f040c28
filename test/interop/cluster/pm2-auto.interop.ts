import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { folderWith } from '../../support/folder-with.ts'
import { freePort, freePortPair } from '../../support/free-port.ts'
import { createRawClient } from '../../support/raw-client.ts'
import { type Pm2, type Pm2Mode, startPm2 } from './start-pm2.ts'

const patiently = { timeout: 180_000, interval: 100 }
const program = `
import { createServer } from 'node:http'
createServer((request, response) => response.end('hello')).listen(Number(process.env.PORT), '127.0.0.1')`

let pm2: Pm2
let managementPort: number

beforeAll(async () => {
  managementPort = await freePort()
  pm2 = await startPm2({
    NODE_OPTIONS: `--import ${built('build/node_modules/upkeep/dist/auto.js')}`,
    UPKEEP_TOKEN: 's3cret',
    UPKEEP_HOST: '127.0.0.1',
    UPKEEP_PORT: String(managementPort),
  })
}, 600_000)
afterAll(() => pm2?.dispose())

/** Writes an application that does not know of upkeep. Returns its configuration, and the ports of its instances. */
async function configure(mode: Pm2Mode) {
  const files = {
    'package.json': '{ "name": "shop", "version": "2.1.0" }',
    'upkeep.config.json': '{ "management": { "info": { "process": true } } }',
    'app.mjs': program,
  }
  const port = await freePortPair()
  const file = await pm2.configure(mode, port, {
    script: join(await folderWith(files), 'app.mjs'),
    autorestart: false,
  })
  return { file, ports: [port, mode === 'fork' ? port + 1 : port] }
}

async function read(path: string): Promise<string> {
  const headers = { Authorization: 'Bearer s3cret' }
  const client = createRawClient(managementPort)
  const { body } = await client({ target: `/management/${path}`, headers }).catch(() => ({ body: '' }))
  return body
}

/** Resolves when the page has the values of this number of members. */
const showsMembers = (count: number) =>
  expect.poll(() => read('prometheus'), patiently).toContain(`\nupkeep_cluster_members ${count}\n`)

async function observedRequests(): Promise<number> {
  const counts = [...(await read('prometheus')).matchAll(/^http_server_requests_seconds_count\{.* (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Resolves with the process that serves the management. */
async function serving(): Promise<number> {
  return Number(/"pid":(\d+)/.exec(await read('info'))?.[1])
}

describe('upkeep/auto in the environment of PM2', () => {
  it.each(['cluster', 'fork'] as const)(
    'makes one cluster of an application in %s mode',
    async (mode) => {
      const { file, ports } = await configure(mode)
      onTestFinished(async () => void (await pm2.run('delete', 'shop')))
      await pm2.run('start', file)
      await showsMembers(2)
      for (const port of [...ports, ...ports, ...ports]) await createRawClient(port)({ target: '/' })
      await expect.poll(observedRequests, patiently).toBe(6)

      const instances: readonly { readonly pid: number }[] = JSON.parse(await pm2.run('jlist'))
      const pids = instances.map(({ pid }) => pid)
      const first = await serving()
      expect(pids).toContain(first)
      process.kill(first, 'SIGKILL')
      const others = pids.filter((pid) => pid !== first)
      await expect.poll(serving, patiently).toBe(others[0])
      await showsMembers(1)
      expect(await observedRequests()).toBe(6)
    },
    600_000,
  )

  it('does nothing in its commands and its daemon', async () => {
    const lines = (await pm2.messages()).split('\n').filter((line) => line.includes('upkeep: '))
    // The workers of the daemon, which are the application in cluster mode, have its stderr.
    expect(
      lines.filter((line) => !/: (?:shop 2\.1\.0: health at|health is served by another .* of shop)/.test(line)),
    ).toEqual([])
    expect(lines.length).toBeGreaterThan(1)
  })
})
