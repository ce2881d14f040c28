import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const command = resolve(root, 'build/node_modules/upkeep/dist/cli.cjs')

/** Starts what was built, and answers what it has printed once that holds an address. */
async function start(
  name: string,
  environment: Readonly<Record<string, string>>,
  address: RegExp,
  ...served: readonly string[]
): Promise<readonly string[]> {
  const built = resolve(root, `build/examples/${name}.js`)
  if (!existsSync(built) || !existsSync(command)) throw new Error(`${built} is not there: run npm run build`)
  const child = spawn(process.execPath, [...served, built], {
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    const match = address.exec(printed)
    if (match !== null) return match
  }
  throw new Error(`ended: ${printed}`)
}

function check(...words: readonly string[]): Promise<{ readonly code: unknown; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, 'contract', ...words], { maxBuffer: 10_000_000 }, (error, out) =>
      resolve({ code: error?.code ?? 0, out }),
    )
  })
}

describe('the contract', () => {
  it.each(['express', 'koa', 'node', 'fastify', 'hono'])('is met by the quick start for %s', async (name) => {
    const [, port] = await start(name, {}, /port: (\d+)/)
    const exposed = ['--expose', 'health,info,metrics,prometheus', '--details', 'never']
    const { code, out } = await check(`http://127.0.0.1:${port}`, '--route', '/orders', ...exposed)
    expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
    expect(code).toBe(0)
  })

  it('is met by the quick start for fetch servers, except for dot segments, which URLs resolve', async () => {
    const [, port] = await start('fetch', {}, /port: (\d+)/, resolve(root, 'scripts/serve-fetch.mjs'))
    const exposed = ['--expose', 'health,info,metrics,prometheus', '--details', 'never']
    const words = [
      `http://127.0.0.1:${port}`,
      '--route',
      '/orders',
      ...exposed,
      '--unsupported',
      'raw-targets=it makes URLs',
    ]
    const { code, out } = await check(...words)
    expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
    expect([...out.matchAll(/- (\S+): .*it makes URLs/g)].map(([, id]) => id)).toEqual([
      'conventions.paths.dot',
      'conventions.paths.dots',
      'conventions.paths.encoded-dots',
    ])
    expect(code).toBe(0)
  })

  it('is met by the webhook receiver', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'receiver-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const environment = { DATA_DIR: folder, MANAGEMENT_TOKEN: 'contract-token', DATABASE_URL: '' }
    const [, url = '', hook = ''] = await start(
      'webhook-receiver/main',
      environment,
      /(http:\/\/127\.0\.0\.1:\d+)(\/hooks\/\w+)'?\s/,
    )
    const { code, out } = await check(
      url,
      '--token',
      'contract-token',
      '--hook',
      hook,
      '--expose',
      'health,info,metrics,prometheus',
    )
    expect(out).toMatch(/^\d+ held, 0 broken, \d+ skipped$/m)
    expect(code).toBe(0)
  })
})
