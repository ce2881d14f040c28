import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manage } from '../../../adapters/node.ts'
import { packageVersion } from '../../../src/base/package-version.ts'
import { runReport } from '../../../src/cli/doctor/report-command.ts'
import { bearerToken, createManagement } from '../../../src/entries/index.ts'
import { listenOn } from '../../support/listen.ts'

async function report(...words: readonly string[]) {
  let [out, err] = ['', '']
  const output = {
    write: (text: string) => (out += text),
    writeError: (text: string) => (err += text),
    isTerminal: true,
  }
  const code = await runReport(words, { UPKEEP_TOKEN: 'secret-token-1' }, output)
  return { code, out, err }
}

async function startService() {
  const management = createManagement({
    application: { name: 'orders', version: '1.4.2' },
    expose: ['health', 'info', 'why'],
    authorize: bearerToken('secret-token-1'),
    info: { contributors: [() => ({ database: 'postgres://ada:hunter2@db/orders' })] },
    health: {
      indicators: { db: () => Promise.reject(new Error('password=hunter2 refused ````')) },
      showDetails: 'when-authorized',
    },
  })
  const server = createServer(manage(management))
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    management.close()
  })
  return `http://127.0.0.1:${port}`
}

describe('upkeep report', () => {
  it('has versions, checks, health, info and why of a service, each in a block', async () => {
    const { code, out, err } = await report(await startService())
    expect([code, err]).toEqual([0, ''])
    const titles = [...out.matchAll(/^## (.*)\n\n````text$/gm)].map(([, title]) => title)
    const documents = ['', '/health', '/info', '/why'].map((path) => `GET /management${path}`)
    expect(titles).toEqual(['Versions', 'Checks', ...documents])
    expect(out.match(/^````/gm)).toHaveLength(2 * titles.length)
    expect(out).toContain(`upkeep ${packageVersion}\nNode ${process.version}\n`)
    // Of the project in whose folder the command runs.
    expect(out).toMatch(/^1 found|^\d+ found, \d+ in order, \d+ not checked$/m)
    expect(out).toContain('"status": "DOWN"')
    expect(out).toContain('"version": "1.4.2"')
    expect(out).toMatch(/^# orders/m)
  })

  it('has no secret, and no token', async () => {
    const { out } = await report(await startService())
    expect(out).toContain('postgres://***@db/orders')
    expect(out).not.toMatch(/hunter2|secret-token/)
  })

  it('has no secret of a service that hides none, no control characters, and not all of long documents', async () => {
    const info = { apiKey: 'k-4711', url: `postgres://ada:hunter2@db/${'x'.repeat(10)}`, padding: 'y'.repeat(20_000) }
    const server = createServer((req, res) => {
      if (req.url === '/management/info') res.setHeader('content-type', 'application/json').end(JSON.stringify(info))
      else if (req.url === '/management/why') res.end('\u001b[2Jwhy\n\u0007 token=hunter2')
      else res.writeHead(404).end()
    })
    const port = await listenOn(server)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { code, out } = await report(`http://127.0.0.1:${port}`)
    expect(code).toBe(0)
    expect(out).toContain('"apiKey": ***')
    expect(out).toContain('why')
    expect(out).not.toMatch(/hunter2|k-4711/)
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(out.length).toBeLessThan(20_000)
  })

  it('is written of a service that does not respond', async () => {
    const { code, out } = await report('http://127.0.0.1:9', '--timeout', '1s')
    expect(code).toBe(0)
    expect(out).toMatch(/^not checked: http:\/\/127\.0\.0\.1:9\/management\/health cannot be reached: /m)
    expect(out).toMatch(/^no response: /m)
  })

  it('is written of the project without a service', async () => {
    const { code, out } = await report()
    expect(code).toBe(0)
    expect(out).toContain('## Checks')
    expect(out).not.toContain('GET /management')
  })

  it.each([
    [['--wrong'], /Unknown option '--wrong'/],
    [['missing.js'], /there is no file .*missing\.js/],
  ])('refuses %j', async (words, message) => {
    const { code, out, err } = await report(...words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
    expect(err).toMatch(/See upkeep report --help\.\n$/)
  })

  it('prints its options', async () => {
    const { code, out } = await report('--help')
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: upkeep report /)
  })
})
