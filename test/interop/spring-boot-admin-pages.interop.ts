import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Download } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'
import { unpackPackage } from '../support/package/packed.ts'
import { createAdminClient, patiently } from './spring/admin-client.ts'
import { type Service, startService } from './spring/start-service.ts'
import { type SpringApplication, startSpring } from './spring/start-spring.ts'

/** Where screenshots go, such as `docs/images/spring-boot-admin`. Without it, none are made. */
const screenshots = process.env['UPKEEP_SCREENSHOTS']

/** The path of each page below `/instances/{id}/`, and the texts that it shows when it has what it needs. */
const pages: readonly (readonly [path: string, texts: readonly string[]])[] = [
  [
    'details',
    [
      'environment',
      'logistics',
      'stock',
      'Process',
      'Garbage Collection Pauses',
      'Threads',
      'Memory: Heap',
      'Memory: Non heap',
      'Cache: cities',
    ],
  ],
  ['metrics', ['jvm.memory.used', 'http.server.requests']],
  ['loggers', ['ROOT', 'orders']],
  ['env', ['PATH']],
  ['scheduledtasks', ['orders.nightly']],
  ['caches', ['cities']],
  ['threaddump', ['main']],
  ['httpexchanges', ['/orders', 'GET', '200', 'OK']],
  ['mappings', ['/orders/:id', 'readOrder']],
  ['logfile', ['order 100 placed']],
  ['startup', ['server.listening', 'application.ready']],
  ['heapdump', ['Download Heap Dump']],
  ['dependencies', ['upkeep', 'pino', 'thread-stream', '9.9.0']],
  ['sbom', ['orders@1.4.2']],
]

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('a page of Spring Boot Admin', () => {
    const packed = unpackPackage()
    let server: SpringApplication
    let service: Service
    let browser: Browser
    let id: string
    beforeAll(async () => {
      server = await startSpring('UPKEEP_SPRING_BOOT_ADMIN')
      service = await startService(packed, { ADMIN_URL: server.url, ADMIN_PERMISSION: 'read-write' })
      await (await fetch(`${service.url}/orders/1`)).text()
      const admin = createAdminClient(server.url)
      id = await vi.waitFor(async () => {
        const found = await admin.instance()
        if (found?.statusInfo.status === 'UP' && found.endpoints.length > 1 && found.buildVersion) return found.id
        throw new Error(`not registered: ${JSON.stringify(found)}`)
      }, patiently)
      // Without these, Chromium looks for hosts on the Internet.
      const offline = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...offline] })
    }, 600_000)
    afterAll(async () => {
      await browser?.close()
      await service?.stop()
      await server?.stop()
      packed.remove()
    })

    it.each(pages)(
      '%s shows what it needs, without an error',
      async (path, texts) => {
        const page = await browser.newPage({ viewport: { width: 1400, height: 1000 }, locale: 'en-US' })
        page.setDefaultTimeout(300_000)
        const errors: string[] = []
        page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
        page.on('pageerror', (error) => void errors.push(String(error)))
        page.on(
          'response',
          (response) => void (response.status() >= 400 && errors.push(`${response.status()} ${response.url()}`)),
        )
        await page.goto(`${server.url}/instances/${id}/${path}`)
        for (const text of texts)
          await page.getByText(text, { exact: true }).first().waitFor({ state: 'attached', timeout: 180_000 })
        expect(await page.getByText(/fetching .* failed/i).count()).toBe(0)
        if (screenshots !== undefined) {
          const folder = resolve(import.meta.dirname, '../..', screenshots)
          mkdirSync(folder, { recursive: true })
          await page.screenshot({ path: join(folder, `${path}.png`), fullPage: true })
        }
        await page.close()
        expect(errors).toEqual([])
      },
      600_000,
    )

    it('heapdump downloads a snapshot', { timeout: 600_000 }, async () => {
      const page = await browser.newPage({ locale: 'en-US' })
      page.setDefaultTimeout(300_000)
      const downloaded = new Promise<Download>((resolve) => {
        // Of the page that opens the window, which the download closes, or of the window.
        page.on('download', resolve)
        page.context().on('page', (popup) => popup.on('download', resolve))
      })
      await page.goto(`${server.url}/instances/${id}/heapdump`)
      await page.getByText('Download Heap Dump').click()
      const download = await downloaded
      expect(download.suggestedFilename()).toMatch(/^\d{8}T\d{6}\.heapsnapshot$/)
      const { snapshot } = JSON.parse(readFileSync(await download.path(), 'utf8'))
      expect(snapshot.node_count).toBeGreaterThan(10_000)
      await page.close()
    })

    it.each(['orders', 'db'])('loggers changes the level of %s, and unsets it', { timeout: 600_000 }, async (name) => {
      const { ask } = createAdminClient(server.url)
      const readLevel = async () => JSON.parse((await ask(id, `GET loggers/${name}`)).text).configuredLevel
      const page = await browser.newPage({ locale: 'en-US' })
      page.setDefaultTimeout(300_000)
      await page.goto(`${server.url}/instances/${id}/loggers`)
      const press = (text: string) =>
        page
          // The service has the name of a logger, and is named before.
          .locator(`xpath=(//*[normalize-space(text())='${name}'])[last()]/following::button[.='${text}'][1]`)
          .click()
      await press('DEBUG')
      await vi.waitFor(async () => expect(await readLevel()).toBe('DEBUG'), patiently)
      await press('Unset')
      await vi.waitFor(async () => expect(await readLevel()).toBeUndefined(), patiently)
      await page.close()
    })

    it('leaves no error in either log', () => {
      const expected = /"(?:spring-boot-admin: registered|audit: |heapdump: the event loop was blocked for )/
      expect(service.problems().filter((line) => !expected.test(line))).toEqual([])
      expect(server.problems().filter((line) => line.includes(' ERROR '))).toEqual([])
    })
  })
})
