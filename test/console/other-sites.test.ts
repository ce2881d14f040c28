import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { bearerToken, createManagement, type Principal } from 'upkeep'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'
import { listenOn } from '../support/listen.ts'
import { createManagementClient } from '../support/management-client.ts'
import { useConsoleBrowser } from './console-browser.ts'

const authorization = 'Bearer let-me-in'

const documents = [
  ...['overview', 'history', 'requests', 'requests/1', 'health', 'health?check=now', 'meters', 'meters/a', 'logs'],
  ...['dependencies', 'stream'],
]

/** What browsers send for a page of another origin. */
const senders: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ['of another origin', { host: 'orders.example', origin: 'https://evil.example' }],
  ['of another port', { 'sec-fetch-site': 'same-site', host: 'orders.example', origin: 'https://orders.example:1' }],
  ['that includes it as an image', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }],
  ['in a sandbox', { host: 'orders.example', origin: 'null' }],
]

function createChangeable() {
  const levels: string[] = []
  let checks = 0
  const options = {
    expose: ['health', 'loggers', 'console'],
    audit: () => {},
    loggers: {
      levels: ['INFO', 'DEBUG'],
      names: () => ['ROOT'],
      level: () => ({ effectiveLevel: 'INFO' as const }),
      configure: (name: string, level: string | undefined) => void levels.push(`${name} ${level}`),
    },
    health: {
      indicators: {
        db: {
          check: () => {
            checks += 1
            return 'UP'
          },
          cache: '1h',
        },
      },
    },
  } as const
  return { options, levels, checks: () => checks }
}

describe.each(senders)('a page %s', (_, sent) => {
  it.each(documents)('cannot read console/%s', async (path) => {
    const { options, checks } = createChangeable()
    const { send, management } = createManagementClient({ ...options, authorize: bearerToken('let-me-in') })
    onTestFinished(() => management.close())
    const response = await send(`/management/console/${path}`, { headers: { ...sent, authorization } })
    expect([response.status, response.json]).toMatchObject([403, { detail: 'Cross-site request refused.' }])
    expect(Object.keys(response.headers).filter((name) => /^access-control-/i.test(name))).toEqual([])
    expect(checks()).toBe(0)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('changes nothing by %s', async (method) => {
    const { options, levels, checks } = createChangeable()
    const { send, management } = createManagementClient({ ...options, authorize: bearerToken('let-me-in') })
    onTestFinished(() => management.close())
    const headers = { ...sent, authorization, 'content-type': 'application/json' }
    const body = () => ({ kind: 'parsed', value: { configuredLevel: 'DEBUG' } }) as const
    for (const path of ['loggers/ROOT', 'console/health?check=now', 'console', 'console/overview']) {
      const { status } = await send(`/management/${path}`, { method, headers, body })
      expect(status).toBe(path === 'loggers/ROOT' && method === 'POST' ? 403 : 405)
    }
    expect([levels, checks()]).toEqual([[], 0])
  })
})

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('a page of another origin in a browser that is signed in', { timeout: 120_000 }, () => {
    const browser = useConsoleBrowser(executablePath)

    /** Opens a page of another site, and one of another port, beside a service that authorizes by a cookie. */
    async function open(host: string) {
      const { options, levels, checks } = createChangeable()
      const authorize = ({ headers }: { readonly headers: object }): Principal | undefined =>
        String(Reflect.get(headers, 'cookie')).includes('session=1') ? { name: 'ops' } : undefined
      const management = createManagement({ ...options, authorize })
      const managed = manage(management)
      const requests: string[] = []
      const server = createServer((req, res) => {
        managed(req, res, () =>
          res.writeHead(200, { 'Set-Cookie': 'session=1; Path=/', 'Content-Type': 'text/html' }).end('x'),
        )
        res.on('finish', () => requests.push(`${req.method} ${req.url} ${res.statusCode}`))
      })
      const other = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end('<!doctype html>'))
      const service = `http://127.0.0.1:${await listenOn(server)}`
      const port = await listenOn(other)
      onTestFinished(() => {
        management.close()
        for (const each of [server, other]) {
          each.closeAllConnections()
          each.close()
        }
      })
      const { page } = await browser.open(`${service}/sign-in`)
      await page.goto(`http://${host}:${port}/`)
      return { page, service, requests, levels, checks }
    }
    const fetchIn = (page: Page, url: string, init: object) =>
      page.evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)})
        .then((response) => response.text().then((text) => response.type + text), () => 'failed')`)

    describe.each(['127.0.0.1', 'localhost'])('at another port of %s', (host) => {
      it('cannot frame the console', async () => {
        const { page, service } = await open(host)
        for (const path of ['/management', '/management/console']) {
          await page.evaluate(`new Promise((resolve) => {
            const frame = document.createElement('iframe')
            frame.onload = resolve
            frame.src = ${JSON.stringify(service + path)}
            document.body.append(frame)
          })`)
        }
        const frames = page.frames().slice(1)
        expect(frames).toHaveLength(2)
        for (const frame of frames) expect(await frame.locator('#app').count()).toBe(0)
      })

      it('runs no check', async () => {
        const { page, service, requests, checks } = await open(host)
        const path = '/management/console/health?check=now'
        await fetchIn(page, service + path, { credentials: 'include', mode: 'no-cors' })
        await expect.poll(() => requests).toContain(`GET ${path} 403`)
        expect(checks()).toBe(0)
      })

      it('cannot read the console', async () => {
        const { page, service } = await open(host)
        for (const path of ['', '/overview', '/health?check=now', '/logs', '/stream']) {
          const url = `${service}/management/console${path}`
          expect(await fetchIn(page, url, { credentials: 'include' })).toBe('failed')
          expect(await fetchIn(page, url, { credentials: 'include', mode: 'no-cors' })).toMatch(/^(opaque|failed)$/)
        }
      })

      it('changes no level, by fetch or by a form', async () => {
        const { page, service, requests, levels } = await open(host)
        const url = `${service}/management/loggers/ROOT`
        const init = { method: 'POST', body: '{"configuredLevel":"DEBUG"}', credentials: 'include' }
        expect(await fetchIn(page, url, { ...init, mode: 'no-cors' })).toBe('opaque')
        expect(await fetchIn(page, url, { ...init, headers: { 'Content-Type': 'application/json' } })).toBe('failed')
        await page.evaluate(`(() => {
          const form = document.createElement('form')
          form.method = 'POST'
          form.enctype = 'text/plain'
          form.action = ${JSON.stringify(url)}
          form.innerHTML = '<input name=\\'{"configuredLevel":"DEBUG","a":"\\' value=\\'"}\\'>'
          document.body.append(form)
          form.submit()
        })()`)
        const refused = 'POST /management/loggers/ROOT 403'
        await expect.poll(() => requests.filter((request) => request === refused)).toHaveLength(2)
        expect(requests.filter((request) => request.startsWith('POST') && request !== refused)).toEqual([])
        expect(levels).toEqual([])
      })
    })
  })
})
