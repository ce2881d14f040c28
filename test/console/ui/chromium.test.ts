import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeProgram } from '../../support/describe-program.ts'
import { hostileShown, hostileText } from './fixture-documents.ts'
import { type FixtureServer, type FixtureState, startFixtureServer } from './fixture-server.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Each screen, by the heading of a card that is there when its documents are. */
const states = [
  { hash: '#/overview', card: 'Process' },
  { hash: '#/requests', card: 'Recent requests' },
  { hash: '#/requests?id=r1', card: 'Waterfall' },
  { hash: '#/health', card: 'Changes of the last hour' },
  { hash: '#/metrics', card: 'Meters' },
  { hash: '#/metrics?name=m.1', card: 'Series' },
  { hash: '#/logs', card: 'Records' },
  { hash: '#/diagnostics', card: 'Heap dump' },
  { hash: '#/dependencies', card: 'Scheduled tasks' },
  { hash: '#/environment', card: 'Bill of materials' },
]

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('the page of the console', { timeout: 120_000 }, () => {
    let browser: Browser
    let server: FixtureServer
    let page: Page
    const complaints: string[] = []

    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    })
    afterEach(async () => {
      complaints.length = 0
      await page.context().close()
      await server.close()
    })
    afterAll(() => browser.close())

    const open = async (fixture: Partial<FixtureState> = {}, options: BrowserContextOptions = {}, hash = '') => {
      server = await startFixtureServer(fixture)
      const context = await browser.newContext(options)
      page = await context.newPage()
      page.setDefaultTimeout(180_000)
      page.on('pageerror', (error) => void complaints.push(String(error)))
      page.on('console', (message) => {
        // Chromium reports each response that is no success.
        if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text())
      })
      await page.addInitScript(
        `addEventListener('securitypolicyviolation', (event) => console.error('violated', event.violatedDirective))`,
      )
      await page.goto(server.url + hash)
    }
    const signIn = async (token = 'secret') => {
      await page.getByRole('textbox', { name: 'Token' }).fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    const card = (name: string) => page.getByRole('region', { name, exact: true }).first()
    const show = async (hash: string, name: string) => {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await card(name).waitFor()
    }
    const settle = async () => {
      await page.waitForFunction(`!document.body.innerText.includes('Loading…')`)
    }
    const violations = async () => {
      await settle()
      await page.evaluate(axe)
      const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
        readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
      }
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' ')}`)
    }

    describe('signing in', () => {
      it('refuses a wrong token with the reason, and a delay that grows', async () => {
        await open()
        await page.clock.install({ time: 0 })
        await page.clock.pauseAt(60_000)
        await signIn('wrong')
        await page.getByText('The token is not known.').waitFor()
        await page.getByText('The next attempt is possible in 1 s.').waitFor()
        const sent = server.countRequests('overview')
        await page.getByRole('textbox', { name: 'Token' }).press('Enter')
        await page.clock.runFor(1_500)
        await page.getByText('The next attempt is possible').waitFor({ state: 'detached' })
        expect(server.countRequests('overview')).toBe(sent)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByText('The next attempt is possible in 2 s.').waitFor()
      })

      it('keeps the token in memory, so that a reload asks again', async () => {
        await open()
        await signIn()
        await card('Process').waitFor()
        await page.reload()
        await page.getByRole('textbox', { name: 'Token' }).waitFor()
        expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
        expect(complaints).toEqual([])
      })

      it('remembers the token for the tab on request, until the user signs out', async () => {
        await open()
        await page.getByLabel('Remember for this tab').check()
        await signIn()
        await card('Process').waitFor()
        await page.reload()
        await card('Process').waitFor()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('textbox', { name: 'Token' }).waitFor()
        expect(await page.evaluate('sessionStorage.length')).toBe(0)
      })

      it('asks for name and password if the service understands them', async () => {
        await open({ challenge: 'Basic realm="management"' })
        await page.getByLabel('Name', { exact: true }).fill('ops')
        await page.getByLabel('Password', { exact: true }).fill('secret')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await card('Process').waitFor()
      })

      it.each(['light', 'dark'] as const)('has no violation of axe: %s', async (colorScheme) => {
        await open({}, { bypassCSP: true, colorScheme })
        await page.getByRole('textbox', { name: 'Token' }).waitFor()
        expect(await violations()).toEqual([])
      })
    })

    describe('every screen', () => {
      it.each(['light', 'dark'] as const)('has no violation of axe: %s', async (colorScheme) => {
        await open({ members: ['0', '1'] }, { bypassCSP: true, colorScheme })
        await signIn()
        for (const { hash, card: name } of states) {
          await show(hash, name)
          expect(await violations(), hash).toEqual([])
        }
      })

      it('shows names of the service as text, within the policy', async () => {
        await open({ text: hostileText })
        await signIn()
        for (const { hash, card: name } of states) {
          await show(hash, name)
          await page.locator('#content').getByText(hostileShown).first().waitFor()
          expect(await page.locator('#content img').count(), hash).toBe(0)
        }
        expect(await page.title()).toBe('Environment · upkeep')
        expect(complaints).toEqual([])
      })

      it('fits a screen of 360 pixels', async () => {
        await open({}, { viewport: { width: 360, height: 740 } })
        await signIn()
        for (const { hash, card: name } of states) {
          await show(hash, name)
          expect(await page.evaluate('document.documentElement.scrollWidth'), hash).toBe(360)
        }
      })

      it('can be reached by its address', async () => {
        await open({}, {}, '#/requests?route=%2Fr%2F3%2F%3Aid&method=GET')
        await signIn()
        await page.getByText('Only GET /r/3/:id').waitFor()
        await page.locator('tr[aria-current=true]').getByText('/r/3/:id').waitFor()
        await page.getByRole('link', { name: 'Health' }).click()
        await card('Components').waitFor()
        expect(new URL(page.url()).hash).toBe('#/health')
      })
    })

    it('is used by the keyboard: the skip link, the navigation, a sorted table', async () => {
      await open()
      await signIn()
      await card('Process').waitFor()
      await page.locator('a.skip').focus()
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('content')
      await page.getByRole('link', { name: 'Requests' }).first().focus()
      await page.keyboard.press('Enter')
      await card('Routes (table)').waitFor()
      await page.getByRole('button', { name: 'Errors' }).focus()
      await page.keyboard.press('Enter')
      expect(await page.locator('th[aria-sort=descending]').textContent()).toContain('Errors')
    })

    it('renders a few of 5,000 routes, and filters all of them', async () => {
      await open({ routes: 5_000 })
      await signIn()
      await show('#/requests', 'Recent requests')
      const rows = card('Routes (table)').locator('tbody tr')
      expect(await rows.count()).toBeLessThan(60)
      await page.getByLabel('Filter routes').fill('/4999/')
      await page.getByText('1 of 5,000 routes').waitFor()
      expect(await rows.count()).toBe(1)
      await page.getByLabel('Filter routes').fill('')
      await page.getByText('5,000 of 5,000 routes').waitFor()
      await card('Routes (table)').evaluate((region) => region.scrollTo(0, region.scrollHeight))
      await page.getByText('/r/4999/:id').waitFor()
      expect(await rows.count()).toBeLessThan(60)
    })

    describe('on a bad day', () => {
      it('states that the stream was cut, and connects again', async () => {
        await open()
        await signIn()
        await page.getByText('● live').waitFor()
        server.state.stream = 'refused'
        server.cutStreams()
        await page.getByText('All 20 places are taken.').waitFor()
        await page.getByText(/reconnecting in \d+ s/).waitFor()
        expect(complaints).toEqual([])
      })

      it.each(['light', 'dark'] as const)(
        'has no violation of axe while the service refuses: %s',
        async (colorScheme) => {
          await open({}, { bypassCSP: true, colorScheme })
          await signIn()
          await page.getByText('● live').waitFor()
          server.state.status = 503
          server.cutStreams()
          await page.evaluate(`location.hash = '#/requests'`)
          await page.getByText('The service requests a pause of 40 s.').first().waitFor()
          await page.getByText(/reconnecting in \d+ s/).waitFor()
          expect(await violations()).toEqual([])
        },
      )

      it('connects again by itself, and names the version that runs after a restart', async () => {
        await open()
        await signIn()
        await page.getByText('● live').waitFor()
        server.state.startedAt += 60_000
        server.cutStreams()
        await page.getByText('The service restarted at').waitFor()
        await page.getByText('● live').waitFor()
        await page.getByRole('button', { name: 'Dismiss' }).click()
        expect(await page.getByText('The service restarted at').count()).toBe(0)
      })

      it('states that the clocks differ', async () => {
        await open()
        await signIn()
        await page.getByText(/The clock of the service is .+ that of this browser/).waitFor()
      })
    })

    it('selects a member of a cluster', async () => {
      await open({ members: ['0', '1'] })
      await signIn()
      await page.getByRole('combobox', { name: /^Member/ }).selectOption('1')
      await expect.poll(() => server.countRequests('overview?member=1')).toBe(1)
      await page.getByRole('link', { name: 'Health' }).first().click()
      await expect.poll(() => server.countRequests('health?member=1')).toBe(1)
    })

    it('changes the level of a logger for a quarter of an hour', async () => {
      await open()
      await signIn()
      await show('#/logs', 'Levels')
      await page.getByLabel('Level of orders.db for 15 minutes').selectOption('DEBUG')
      await page.getByText('orders.db has the level DEBUG for 15 minutes.').waitFor()
      expect(server.changes).toEqual(['POST /management/loggers/orders.db {"configuredLevel":"DEBUG","for":"15m"}'])
    })

    it('records a profile, and shows it with a table of its functions', async () => {
      await open()
      await signIn()
      await show('#/diagnostics', 'Heap dump')
      await page.getByRole('button', { name: 'Record' }).click()
      await page.getByRole('button', { name: 'run (file:///a.js:1)' }).waitFor()
      await page.getByRole('button', { name: 'Read the stacks' }).click()
      await page.getByText('at parse (file:///app/a.js:4:1)').waitFor()
      expect(server.countRequests('profile?seconds=10&type=wall&format=folded')).toBe(1)
      expect(complaints).toEqual([])
    })

    it('shows how long a check took and when it ran, and runs the checks on request', async () => {
      await open()
      await signIn()
      await show('#/health', 'Changes of the last hour')
      await page.getByText('checked in 2 ms, 4 s ago').waitFor()
      await page.getByRole('button', { name: 'Check now' }).click()
      await expect.poll(() => server.countRequests('health?check=now')).toBe(1)
    })

    it('shows the requests in progress, and for how long', async () => {
      await open()
      await signIn()
      await show('#/requests', 'In progress')
      await card('In progress').getByText('42 s').waitFor()
      await card('In progress').getByText('3 more are in progress').waitFor()
    })

    it('states what a heap dump costs before it takes one', async () => {
      await open()
      await signIn()
      await show('#/diagnostics', 'Heap dump')
      await page.getByText('It blocks the service').waitFor()
      await page.getByRole('button', { name: 'Take a heap dump…' }).click()
      expect(server.countRequests('heapdump')).toBe(0)
      await page.getByRole('button', { name: 'Cancel' }).click()
    })

    it('has a table behind each chart', async () => {
      await open()
      await signIn()
      await card('CPU').getByText('Table').click()
      await card('CPU').locator('tbody tr').nth(10).waitFor()
    })
  })
})
