import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeProgram } from '../../support/describe-program.ts'
import { card, useConsoleBrowser } from '../console-browser.ts'
import { type FixtureServer, type FixtureState, startFixtureServer } from './fixture-server.ts'

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('the page of the console, on a bad day', { timeout: 120_000 }, () => {
    const browser = useConsoleBrowser(executablePath)

    /** Opens the page with a clock that tests can advance. */
    async function open(hash: string, fixture: Partial<FixtureState> = {}) {
      const server = await startFixtureServer(fixture)
      onTestFinished(() => server.close())
      const { page } = await browser.open(server.url + hash)
      await page.clock.install()
      return { server, page }
    }
    async function signIn(page: Page) {
      await page.getByRole('textbox', { name: 'Token' }).fill('secret')
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    /** Advances the clock of the page until a request has been sent. */
    async function advanceUntil(page: Page, server: FixtureServer, part: string, count: number) {
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000)
          return server.countRequests(part)
        })
        .toBeGreaterThanOrEqual(count)
    }

    describe('the logs', () => {
      it('begin anew when the service has restarted', async () => {
        const { server, page } = await open('#/logs')
        await signIn(page)
        await page.getByText('could not insert 9').waitFor()
        server.state.latestRecord = 3
        await advanceUntil(page, server, 'logs?&after=9', 1)
        await page.getByText('could not insert 3').waitFor()
        expect(await page.getByText('could not insert 9').count()).toBe(0)
        await advanceUntil(page, server, 'logs?&after=3', 1)
        expect(await page.getByText('could not insert 3').count()).toBe(1)
      })

      it('mark the records that came too fast', async () => {
        const { server, page } = await open('#/logs')
        await signIn(page)
        await page.getByText('could not insert 9').waitFor()
        server.state.latestRecord = 1_209
        await advanceUntil(page, server, 'logs?&after=9', 1)
        await page.getByText('501 records, the latest first.').waitFor()
        await card(page, 'Log records (table)').evaluate((region) => region.scrollTo(0, region.scrollHeight))
        await page.getByText('700 before it not shown').waitFor()
      })
    })

    it('waits to sign in as long as the service requests', async () => {
      const { server, page } = await open('')
      await page.getByRole('textbox', { name: 'Token' }).waitFor()
      server.state.status = 429
      await signIn(page)
      await page.getByText('Too many requests.').waitFor()
      await page.getByText(/The next attempt is possible in (40|39) s/).waitFor()
      const sent = server.countRequests('overview')
      await page.getByRole('textbox', { name: 'Token' }).press('Enter')
      server.state.status = 200
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000)
          return page.getByText('The next attempt is possible').count()
        })
        .toBe(0)
      expect(server.countRequests('overview')).toBe(sent)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await card(page, 'Process').waitFor()
    })

    it('states that the service is overloaded, and reads less often', async () => {
      const { server, page } = await open('#/health')
      await signIn(page)
      await card(page, 'Components').waitFor()
      server.state.status = 503
      server.cutStreams()
      const before = server.countRequests('console/health')
      await advanceUntil(page, server, 'console/health', before + 1)
      await page.getByText('The service requests a pause of 40 s.').waitFor()
      await page.getByText(/reconnecting in [34]\d s/).waitFor()
      const sent = server.countRequests('')
      await page.clock.runFor(25_000)
      expect(server.countRequests('')).toBe(sent)
      server.state.status = 200
      await advanceUntil(page, server, 'console/health', before + 2)
      await page.getByText('The service requests a pause').waitFor({ state: 'detached' })
      await advanceUntil(page, server, 'stream', 2)
      await page.getByText('● live').waitFor()
    })

    it('connects again with growing delays if its stream is cut at once', async () => {
      const { server, page } = await open('#/overview', { stream: 'ended' })
      await signIn(page)
      await card(page, 'Process').waitFor()
      await advanceUntil(page, server, 'stream', 4)
      await page.getByText('The stream ended.').waitFor()
      await page.getByText(/reconnecting in [1-9] s/).waitFor()
      server.state.stream = 'live'
      await advanceUntil(page, server, 'stream', 5)
      await page.getByText('● live').waitFor()
    })
  })
})
