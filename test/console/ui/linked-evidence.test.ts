import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { capturesOf } from '../../../src/console/ui/capture-list.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { card, useConsoleBrowser } from '../console-browser.ts'
import { startFixtureServer } from './fixture-server.ts'

describe('capturesOf', () => {
  const capture = { id: 'c', rule: 'blocked-loop', time: new Date(10_000).toISOString(), reason: '', bytes: 1 }
  const blocked = { ...capture, type: 'wall' as const, details: { blockedMilliseconds: 2_000 } }

  it.each([
    ['before it', 7_000, 2.9, 0],
    ['that began during it', 7_000, 3, 1],
    ['that ended during it', 11_900, 1, 1],
    ['after it', 12_001, 1, 0],
  ])('has a block of the event loop: %s', (_, at, seconds, count) => {
    expect(capturesOf([blocked], { at, seconds })).toHaveLength(count)
  })

  it('has what was captured of the request itself, by its trace', () => {
    const slow = { ...capture, rule: 'slow-request', type: 'wall' as const, details: { traceId: 't1' } }
    expect(capturesOf([slow], { at: 0, seconds: 1, traceId: 't1' })).toEqual([slow])
    expect(capturesOf([slow], { at: 0, seconds: 1, traceId: 't2' })).toEqual([])
    expect(capturesOf([{ ...slow, details: {} }], { at: 0, seconds: 1 })).toEqual([])
  })
})

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('the page of the console', { timeout: 120_000 }, () => {
    const browser = useConsoleBrowser(executablePath)

    async function open(hash: string) {
      const server = await startFixtureServer()
      onTestFinished(() => server.close())
      const { page, complaints } = await browser.open(server.url + hash)
      await page.getByRole('textbox', { name: 'Token' }).fill('secret')
      await page.getByRole('button', { name: 'Sign in' }).click()
      return { server, page, complaints }
    }
    const hashOf = (page: Page) => page.evaluate('location.hash')

    it('leads from a request to the profile of the block that delayed it', async () => {
      const { page, complaints } = await open('#/requests?id=r1')
      await card(page, 'Captures of the flight recorder').getByRole('link').click()
      expect(await hashOf(page)).toBe('#/diagnostics?capture=c1')
      await page.getByRole('region', { name: 'Opened capture' }).getByText('blocked').first().waitFor()
      expect(complaints).toEqual([])
    })

    it('states that a linked capture is not kept any more', async () => {
      const { page } = await open('#/diagnostics?capture=c0')
      await page.getByText('The capture c0 is not kept any more.').waitFor()
    })

    it('shows the samples of 24 hours, at an address', async () => {
      const { server, page, complaints } = await open('')
      await page.getByRole('button', { name: '24 h' }).click()
      await page.getByText('one sample per minute').waitFor()
      await expect.poll(() => server.countRequests('history?resolution=minute')).toBe(1)
      expect(await hashOf(page)).toBe('#/overview?range=day')
      await card(page, 'CPU').getByText('Table').click()
      await card(page, 'CPU').locator('tbody tr').nth(10).waitFor()
      await page.getByRole('button', { name: '15 min' }).click()
      await page.getByText('one sample per minute').waitFor({ state: 'detached' })
      expect(complaints).toEqual([])
    })
  })
})
