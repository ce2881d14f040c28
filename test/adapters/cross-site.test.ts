import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { basicAuth, createManagement, type Level, type Loggers } from 'upkeep'
import { type Listening, listen } from 'upkeep/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'

const html = { 'Content-Type': 'text/html' }
const operator = { username: 'operator', password: 'let-me-in' }

/** A page that submits a form when it is loaded, with content that is valid JSON. */
function form(action: string): string {
  const field = `name='{"configuredLevel":"DEBUG","a":"' value='"}'`
  const form = `<form method=post enctype=text/plain action="${action}"><input ${field}></form>`
  return `${form}<script>document.forms[0].submit()</script>`
}

async function serve(handler: RequestListener): Promise<Server> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('a management on a loopback port, and a page of another origin', { timeout: 60_000 }, () => {
    let level: Level = 'INFO'
    let browser: Browser
    let context: BrowserContext
    let management: Listening
    let port: number
    let stranger: Server
    let strangersPort: number
    const changes: { readonly site: unknown; readonly origin: unknown; readonly knows: boolean; status: number }[] = []

    const loggers: Loggers = {
      levels: ['OFF', 'INFO', 'DEBUG'],
      names: () => ['ROOT'],
      level: (name) => (name === 'ROOT' ? { configuredLevel: level, effectiveLevel: level } : undefined),
      configure: (_name, next) => {
        level = next ?? 'INFO'
      },
    }

    beforeAll(async () => {
      const managed = createManagement({
        expose: ['health', 'loggers'],
        access: { '*': 'authorized' },
        authorize: basicAuth(operator),
        loggers,
      })
      management = await listen(managed, { port: 0 })
      port = management.address.port
      management.server.on('request', ({ method, headers }, res) => {
        if (method !== 'POST') return
        const { origin, 'sec-fetch-site': site, authorization } = headers
        const change = { site, origin, knows: authorization !== undefined, status: 0 }
        changes.push(change)
        res.once('finish', () => Object.assign(change, { status: res.statusCode }))
      })
      stranger = await serve(({ url }, res) =>
        res.writeHead(200, html).end(url === '/form' ? form(address()) : 'stranger'),
      )
      strangersPort = (stranger.address() as AddressInfo).port
      browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP evil.example 127.0.0.1'],
      })
    }, 60_000)
    beforeEach(async () => {
      level = 'INFO'
      changes.length = 0
      context = await browser.newContext({ httpCredentials: operator })
      // The operator reads the levels, and the browser stores the password.
      const page = await context.newPage()
      page.setDefaultTimeout(180_000)
      const response = await page.goto(`http://127.0.0.1:${port}/management/loggers/ROOT`)
      expect(response?.status()).toBe(200)
    })
    afterEach(() => context.close())
    afterAll(async () => {
      await browser.close()
      await management.close()
      stranger.close()
    })

    const pageAt = async (url: string) => {
      const page = await context.newPage()
      page.setDefaultTimeout(180_000)
      await page.goto(url)
      return page
    }
    const changed = async () => {
      await expect.poll(() => changes.at(-1)?.status ?? 0, { timeout: 10_000 }).toBeGreaterThan(0)
      return changes.at(-1)
    }
    const address = () => `http://127.0.0.1:${port}/management/loggers/ROOT`

    it.each(['localhost', 'evil.example', '127.0.0.1'])(
      'refuses a form that a page of %s sends with the credentials of the operator',
      async (host) => {
        await pageAt(`http://${host}:${strangersPort}/form`)
        const site = host === '127.0.0.1' ? 'same-site' : 'cross-site'
        expect(await changed()).toEqual({
          site,
          origin: `http://${host}:${strangersPort}`,
          knows: true,
          status: 403,
        })
        expect(level).toBe('INFO')
      },
    )

    it('refuses a request that a script of the page sends without reading the response', async () => {
      const page = await pageAt(`http://localhost:${strangersPort}/`)
      await page.evaluate(async (url) => {
        const body = '{"configuredLevel":"DEBUG"}'
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body })
      }, address())
      expect(await changed()).toMatchObject({ site: 'cross-site', status: 403 })
      expect(level).toBe('INFO')
    })

    it('prevents scripts of the page from sending JSON and from reading', async () => {
      const page = await pageAt(`http://localhost:${strangersPort}/`)
      const outcomes = await page.evaluate(async (url) => {
        const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
        const send = (init: RequestInit) =>
          fetch(url, { ...init, credentials: 'include' }).then(
            ({ status }) => status,
            () => 'refused',
          )
        return [await send({}), await send(json)]
      }, address())
      expect(outcomes).toEqual(['refused', 'refused'])
      expect(changes).toEqual([])
    })

    it('is not readable under a name that was made to resolve to its address', async () => {
      const page = await context.newPage()
      page.setDefaultTimeout(180_000)
      const response = await page.goto(`http://evil.example:${port}/management/loggers/ROOT`)
      expect(response?.status()).toBe(421)
      expect(await response?.json()).toMatchObject({ title: 'Misdirected Request', status: 421 })
      const status = await page.evaluate(async () => (await fetch('/management/health', { method: 'GET' })).status)
      expect(status).toBe(421)
    })

    it('allows a change requested by a page of its own origin', async () => {
      const page = await pageAt(address())
      const status = await page.evaluate(async (url) => {
        const headers = { 'Content-Type': 'application/json' }
        return (await fetch(url, { method: 'POST', headers, body: '{"configuredLevel":"DEBUG"}' })).status
      }, address())
      expect(status).toBe(204)
      expect(await changed()).toMatchObject({ site: 'same-origin', status: 204 })
      expect(level).toBe('DEBUG')
    })
  })
})
