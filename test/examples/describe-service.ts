import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { card, useConsoleBrowser } from '../console/console-browser.ts'
import { type Child, startChild } from '../support/child.ts'
import { describeProgram } from '../support/describe-program.ts'

const root = resolve(import.meta.dirname, '../..')
const token = 'services-token'

/** Starts a service on the embedded database. Resolves with its address. */
async function start(file: string): Promise<{ readonly child: Child; readonly origin: string }> {
  const { DATABASE_URL: _, ...env } = process.env
  const child = startChild(process.execPath, [file], {
    env: { ...env, NO_COLOR: '1', PORT: '0', MANAGEMENT_TOKEN: token },
  })
  const [, port] = /port: (\d+)/.exec(await child.out.line(/ port: /)) ?? []
  return { child, origin: `http://127.0.0.1:${port}` }
}

const place = (origin: string, body: string) =>
  fetch(`${origin}/orders`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

/** Tests a service of examples/services: `source` is its main file there, `file` returns what is started. */
export function describeService(name: string, source: string, file: () => string): void {
  describe(`the service on ${name}`, () => {
    let child: Child
    let origin: string
    beforeAll(async () => {
      ;({ child, origin } = await start(file()))
    })
    afterAll(() => child.kill())

    it('has at most 120 lines', () => {
      for (const each of [source, 'shop.ts', 'statements.ts', 'prices.ts']) {
        const text = readFileSync(join(root, 'examples/services', each), 'utf8')
        expect(text.trimEnd().split('\n').length, each).toBeLessThanOrEqual(120)
      }
    })

    it('places orders at the price of another service, and reads them', async () => {
      const placed = await place(origin, '{"item":"tea"}')
      expect([placed.status, placed.headers.get('location')]).toEqual([201, '/orders/1'])
      const order = { id: 1, item: 'tea', cents: 1100, status: 'open' }
      expect(await placed.json()).toEqual(order)
      expect(await (await fetch(`${origin}/orders/1`)).json()).toEqual(order)
      expect(await (await fetch(`${origin}/orders`)).json()).toEqual([order])
    })

    it.each([
      ['{"item":7}', 400],
      ['{"item":""}', 400],
      ['{"item', 400],
      [`{"item":"${'a'.repeat(200_000)}"}`, 413],
    ])('refuses an order that is not valid', async (body, status) => {
      // Koa and Express accept longer bodies than the others.
      expect([status, 400]).toContain((await place(origin, body)).status)
    })

    it.each(['/orders/2', '/orders/none', '/elsewhere'])(
      'responds to %s with an error document of 404',
      async (path) => {
        const response = await fetch(origin + path)
        expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
      },
    )

    it('is ready, and counts requests by route, queries, calls and tasks', async () => {
      expect((await fetch(`${origin}/management/health/readiness`)).status).toBe(200)
      await child.out.line(/^mail: order 1$/)
      const read = async () => {
        const response = await fetch(`${origin}/management/prometheus`, {
          headers: { Authorization: `Bearer ${token}` },
        })
        return response.text()
      }
      await expect.poll(read, { timeout: 180_000 }).toMatch(/^tasks_scheduled_execution_seconds_count\{.*send.*\} \d/m)
      const page = await read()
      expect(page).toMatch(
        /^http_server_requests_seconds_count\{.*method="GET".*status="200",uri="\/orders\/:id"\} 1$/m,
      )
      expect(page).toMatch(/^http_client_requests_seconds_count\{.*\} 1$/m)
      expect(page).toMatch(/^db_client_operation_duration_seconds_count\{collection="mails",.*operation="DELETE"/m)
      expect(page).toMatch(/^mails_waiting 0$/m)
    })

    describeProgram({ program: 'chromium', debian: 'chromium' }, (path) => {
      const browser = useConsoleBrowser(path)

      it('shows its routes and its database in the console', async () => {
        const { page, complaints } = await browser.open(`${origin}/management`)
        await browser.signIn(page, token)
        await page.evaluate("location.hash = '#/requests'")
        await card(page, 'Recent requests').getByText('/orders').first().waitFor()
        await page.evaluate("location.hash = '#/health'")
        await page.getByText('scheduledTasks').first().waitFor()
        expect(complaints).toEqual([])
      })
    })
  })
}
