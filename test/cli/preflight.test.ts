import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runContract } from '../../src/cli/contract-command.ts'

async function serve(options: ManagementOptions = {}): Promise<string> {
  const management = createManagement({
    application: { name: 'orders' },
    expose: ['health', 'info', 'metrics', 'prometheus'],
    authorize: bearerToken('right'),
    ...options,
  })
  const server = createServer(manage(management)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function run(...words: readonly string[]) {
  let [out, err] = ['', '']
  const output = { write: (text: string) => (out += text), writeError: (text: string) => (err += text) }
  const code = await runContract(words, {}, { ...output, isTerminal: false })
  return { code, out, err }
}

const isProtected: ManagementOptions = { access: { metrics: 'authorized', prometheus: 'authorized' } }

describe('upkeep contract', () => {
  it('reports in one line that nothing responds, and runs no case', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close().closeAllConnections())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, out, err } = await run(url, '--timeout', '100ms')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`GET ${url}/management receives no response within 100ms\n`)
  })

  it('reports in one line that endpoints require credentials, and runs no case', async () => {
    const url = await serve(isProtected)
    expect(await run(url)).toEqual({
      code: 2,
      out: '',
      err:
        `upkeep contract: GET ${url}/management/metrics requires credentials (401): ` +
        'pass --token or --user, or select other cases with --only\nSee upkeep contract --help.\n',
    })
  })

  it('finds endpoints where --path has them', async () => {
    const url = await serve({ ...isProtected, paths: { prometheus: '/metrics', metrics: 'meters' } })
    const words = [url, '--path', 'prometheus=/metrics', '--path', 'metrics=meters']
    const { code, err } = await run(...words)
    expect([code, err]).toEqual([2, expect.stringContaining(`GET ${url}/management/meters requires credentials`)])
    expect(await run(...words, '--only', 'scrape', '--token', 'wrong')).toMatchObject({
      code: 2,
      err: expect.stringContaining(`GET ${url}/metrics rejects these credentials (401)`),
    })
    const held = await run(...words, '--only', 'scrape,metrics.names', '--token', 'right')
    expect(held).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/\n[1-9]\d* held, 0 broken/) })
  })

  it('reports in one line that the credentials are refused', async () => {
    const url = await serve(isProtected)
    const { code, out, err } = await run(url, '--token', 'wrong')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`GET ${url}/management/metrics rejects these credentials (401): pass others with --token`)
  })

  it('checks public endpoints without credentials, and the others with them', async () => {
    const url = await serve(isProtected)
    expect(await run(url, '--only', 'health')).toMatchObject({ code: 0, err: '' })
    expect(await run(url, '--only', 'metrics.names', '--token', 'right')).toMatchObject({ code: 0, err: '' })
  })

  it.each(['/elsewhere', '/management/health'])(
    'reports in one line that nothing is mounted below %s',
    async (path) => {
      const url = await serve()
      expect(await run(url + path)).toEqual({
        code: 2,
        out: '',
        err:
          `upkeep contract: there are no management endpoints at ${url}${path}/management: ` +
          'pass their path with --base-path, or in the URL\nSee upkeep contract --help.\n',
      })
    },
  )

  it.each(['', '/', '/management'])('finds the endpoints for the URL path %j', async (path) => {
    expect(await run((await serve()) + path, '--only', 'info.object')).toMatchObject({ code: 0, err: '' })
  })

  it('includes the required option in the reason of a skipped case', async () => {
    const { out } = await run(await serve(), '--only', 'webhook.ok.body,health.details,trace')
    const reasons = out.match(/\(skipped: [^\n]*/g) ?? []
    expect(reasons.filter((reason) => /^\(skipped: no /.test(reason)).every((reason) => /--|option/.test(reason))).toBe(
      true,
    )
    expect(out).toContain('(skipped: no webhook: pass its path as the option hook (--hook))')
  })
})
