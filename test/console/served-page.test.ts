import { createServer, type RequestListener } from 'node:http'
import { basicAuth, bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { describe, expect, it, onTestFinished } from 'vitest'
import { managedBy } from '../adapters/frameworks/managing.ts'
import { writeApplication } from '../support/auto-application.ts'
import { describeProgram } from '../support/describe-program.ts'
import { listenOn } from '../support/listen.ts'
import { card, useConsoleBrowser } from './console-browser.ts'

const canary = 'canary-7f3a91'
const token = 'let-me-in'

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('the console of a service', { timeout: 120_000 }, () => {
    const { open, signIn, visit } = useConsoleBrowser(executablePath)

    async function serve(listenerOf: (typeof managedBy)[string], options: ManagementOptions = {}) {
      const management = createManagement({
        application: { name: 'orders', version: '1.4.2' },
        expose: ['health', 'env', 'info', 'mappings', 'console', 'httpexchanges'],
        authorize: bearerToken(token),
        report: () => {},
        audit: () => {},
        health: {
          indicators: { db: () => ({ status: 'DOWN', details: { error: `refused for ://app:${canary}@db` } }) },
        },
        ...options,
      })
      const listener: RequestListener = listenerOf(management)
      const server = createServer(listener)
      const port = await listenOn(server)
      onTestFinished(() => {
        management.close()
        server.closeAllConnections()
        server.close()
      })
      return { management, url: `http://127.0.0.1:${port}` }
    }

    it.each(Object.keys(managedBy))('shows every screen, served by %s', async (framework) => {
      const { url } = await serve(managedBy[framework] as (typeof managedBy)[string])
      await fetch(`${url}/orders/7?key=${canary}`)
      const { page, complaints } = await open(`${url}/management`)
      await signIn(page, token)
      await page.getByText('db is DOWN').first().waitFor()
      await visit(page, (text) => expect(text).not.toContain(canary))
      expect(complaints).toEqual([])
    })

    it('shows the requests and the log records as they come', async () => {
      const { url } = await serve(managedBy['node:http'] as (typeof managedBy)[string])
      const { page } = await open(`${url}/management/console#/logs`)
      await page.getByRole('textbox', { name: 'Token' }).fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await card(page, 'Records').waitFor()
      createLogger({ application: { name: 'orders' }, write: () => {} }).warn(`<b>${String.fromCharCode(27)}[2J</b>`)
      await page.getByText('<b>').first().waitFor()
      expect(await page.locator('b', { hasText: '[2J' }).count()).toBe(0)
      await page.evaluate(`location.hash = '#/requests'`)
      await card(page, 'Recent requests').waitFor()
      await fetch(`${url}/orders/7`)
      await page.getByText('/orders/').first().waitFor()
    })

    it('asks for a name and a password where the service does', async () => {
      const authorize = basicAuth({ username: 'ops', password: token })
      const { url } = await serve(managedBy['Express 5'] as (typeof managedBy)[string], { authorize })
      const { page } = await open(`${url}/management`)
      await page.getByRole('textbox', { name: 'Name' }).fill('ops')
      await page.getByRole('textbox', { name: 'Password' }).fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await card(page, 'Process').waitFor()
    })

    it('is there without code', async () => {
      const program = `
        import { createServer } from 'node:http'
        createServer((req, res) => res.end('hello')).listen(0, '127.0.0.1')`
      const application = await writeApplication({ 'app.mjs': program })
      application.start({ env: { UPKEEP_TOKEN: token } })
      const url = `http://127.0.0.1:${application.port}/management`
      await expect
        .poll(
          () =>
            fetch(url).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 60_000 },
        )
        .toBe(401)
      const { page, complaints } = await open(url)
      await signIn(page, token)
      await page.getByText('shop').first().waitFor()
      expect(complaints).toEqual([])
    })
  })
})
