import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeApplication } from '../support/auto-application.ts'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'
import { readDocumented } from '../support/documented.ts'
import { runContract, runDocumentedContract } from '../support/documented-contract.ts'
import { useFreshFolders } from './webhook-receiver/support/fresh-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** Starts what was built, and returns what of its output matches, once it is printed. */
async function start(
  name: string,
  environment: Readonly<Record<string, string>>,
  address: RegExp,
  ...served: readonly string[]
): Promise<readonly string[]> {
  const child = startChild(process.execPath, [...served, built(`build/examples/${name}.js`)], {
    env: { ...process.env, PORT: '0', ...environment },
  })
  onTestFinished(() => child.kill())
  return address.exec(await child.out.line(address)) ?? []
}

describe('the contract', () => {
  const freshFolder = useFreshFolders()

  it.each(['express', 'koa', 'node', 'fastify', 'hono'])('is met by the quick start for %s', async (name) => {
    const [, port] = await start(name, {}, /port: (\d+)/)
    const exposed = ['--expose', 'health,info,metrics,prometheus', '--details', 'never']
    const { code, out, broken } = await runContract(`http://127.0.0.1:${port}`, '--route', '/orders', ...exposed)
    expect(broken).toEqual([])
    expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
    expect(code).toBe(0)
  })

  it.each(['express', 'koa', 'node', 'fastify', 'hono'])(
    'is met by the quick start for %s, by README',
    async (name) => {
      const [, port] = await start(name, {}, /port: (\d+)/)
      const { code, out, broken } = await runDocumentedContract('README.md', 3000, `http://127.0.0.1:${port}`)
      expect(broken).toEqual([])
      expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
      expect(code).toBe(0)
    },
  )

  it.each([
    ['with the details that it discovers', {}, 0],
    ['without components that have details', { UPKEEP_DISCOVER: 'false' }, 4],
  ])('is met by upkeep/auto, by README: %s', async (_, env, skipped) => {
    const application = await writeApplication({ 'app.mjs': readDocumented('../README.md', 'app.mjs') })
    symlinkSync(built('node_modules/express'), join(application.folder, 'node_modules/express'))
    const child = application.start({ env: { UPKEEP_TOKEN: 'contract-token', PORT: '0', ...env } })
    await child.err.line(/: health at /)
    const url = `http://127.0.0.1:${application.port}`
    const { code, out, broken } = await runDocumentedContract('README.md', 8690, url, '--token', 'contract-token')
    expect(broken).toEqual([])
    expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
    expect(out.match(/\(skipped: no component (?:has|shows) details\)$/gm) ?? []).toHaveLength(skipped)
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
    const { code, out, broken } = await runContract(...words)
    expect(broken).toEqual([])
    expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
    expect([...out.matchAll(/- (\S+): .*it makes URLs/g)].map(([, id]) => id)).toEqual([
      'conventions.paths.dot',
      'conventions.paths.dots',
      'conventions.paths.encoded-dots',
    ])
    expect(code).toBe(0)
  })

  it('is met by the webhook receiver', async () => {
    const environment = { DATA_DIR: await freshFolder(), MANAGEMENT_TOKEN: 'contract-token', DATABASE_URL: '' }
    const [, url = '', hook = ''] = await start(
      'webhook-receiver/main',
      environment,
      /(http:\/\/127\.0\.0\.1:\d+)(\/hooks\/\w+)$/,
    )
    const { code, out, broken } = await runContract(
      url,
      '--token',
      'contract-token',
      '--hook',
      hook,
      '--expose',
      'health,info,metrics,prometheus',
    )
    expect(broken).toEqual([])
    expect(out).toMatch(/^\d+ held, 0 broken, \d+ skipped$/m)
    expect(code).toBe(0)
  })
})
