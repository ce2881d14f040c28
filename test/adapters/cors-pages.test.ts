import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { bearerToken, createManagement, type Level, type Management } from 'upkeep'
import { type Listening, listen } from 'upkeep/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('a page of another origin in Chromium', { timeout: 60_000 }, () => {
    let level: Level = 'INFO'
    let browser: Browser
    let pages: Server
    let management: Management
    let listening: Listening
    let methods: string[] = []

    beforeAll(async () => {
      pages = createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('a page'))
      await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
      const { port } = pages.address() as AddressInfo
      management = createManagement({
        expose: ['health', 'loggers', 'env'],
        cors: {
          allowedOrigins: [`http://localhost:${port}`],
          allowedMethods: ['GET', 'POST'],
          allowedHeaders: ['authorization', 'content-type'],
          exposedHeaders: ['etag'],
        },
        authorize: bearerToken('let-me-in'),
        audit: () => {},
        loggers: {
          levels: ['OFF', 'INFO', 'DEBUG'],
          names: () => ['ROOT'],
          level: () => ({ configuredLevel: level, effectiveLevel: level }),
          configure: (_name, next) => {
            level = next ?? 'INFO'
          },
        },
      })
      listening = await listen(management, { port: 0 })
      listening.server.on('request', ({ method = '' }) => methods.push(method))
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    }, 60_000)
    afterAll(async () => {
      await browser.close()
      await listening.close()
      management.close()
      pages.close()
    })

    const pageAt = async (host: string): Promise<Page> => {
      const page = await browser.newPage()
      page.setDefaultTimeout(180_000)
      await page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/`)
      return page
    }
    /** The status and what the page may read of the response, or the error of `fetch`. */
    const fetchIn = (page: Page, path: string, init: RequestInit = {}) =>
      page.evaluate(
        async ([url, options]) => {
          try {
            const response = await fetch(url, options)
            return [response.status, response.headers.get('etag') !== null]
          } catch (error) {
            return String(error)
          }
        },
        [`http://127.0.0.1:${listening.address.port}${path}`, init] as const,
      )
    const operator = { Authorization: 'Bearer let-me-in' }
    const change = { method: 'POST', headers: { ...operator, 'Content-Type': 'application/json' } }

    it('reads and changes if its origin is listed', async () => {
      const page = await pageAt('localhost')
      methods = []
      expect(await fetchIn(page, '/management/health')).toEqual([200, false])
      expect(await fetchIn(page, '/management/env', { headers: operator })).toEqual([200, false])
      expect(await fetchIn(page, '/management')).toEqual([200, true])
      const body = '{"configuredLevel":"DEBUG"}'
      expect(await fetchIn(page, '/management/loggers/ROOT', { ...change, body })).toEqual([204, false])
      expect(level).toBe('DEBUG')
      expect(methods).toEqual(['GET', 'OPTIONS', 'GET', 'GET', 'OPTIONS', 'POST'])
    })

    it('reads the errors of what it may request', async () => {
      const page = await pageAt('localhost')
      expect(await fetchIn(page, '/management/nope')).toEqual([404, false])
      expect(await fetchIn(page, '/management/env')).toEqual([401, false])
    })

    it('cannot use other methods and fields', async () => {
      const page = await pageAt('localhost')
      methods = []
      const failed = 'TypeError: Failed to fetch'
      expect(await fetchIn(page, '/management/loggers/ROOT', { method: 'DELETE' })).toBe(failed)
      expect(await fetchIn(page, '/management/health', { headers: { 'X-Debug': '1' } })).toBe(failed)
      expect(await fetchIn(page, '/management/health', { credentials: 'include' })).toBe(failed)
      expect(methods).toEqual(['OPTIONS', 'OPTIONS', 'GET'])
    })

    it('reads and changes nothing if its origin is not listed', async () => {
      level = 'INFO'
      const page = await pageAt('127.0.0.1')
      const failed = 'TypeError: Failed to fetch'
      expect(await fetchIn(page, '/management/health')).toBe(failed)
      expect(await fetchIn(page, '/management/env', { headers: operator })).toBe(failed)
      expect(await fetchIn(page, '/management/loggers/ROOT', { ...change, body: '{"configuredLevel":"OFF"}' })).toBe(
        failed,
      )
      expect(level).toBe('INFO')
    })
  })
})
