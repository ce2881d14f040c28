import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeProgram } from '../../../support/describe-program.ts'
import { json, post, sendRequest } from '../support/http-client.ts'
import { operate } from '../support/operator-client.ts'
import { useApp } from '../support/use-app.ts'

const hostile = [
  '<script>document.title = "run"</script>',
  '<img src=x onerror="document.title=\'run\'">',
  '"><svg onload=document.title="run">',
  '&lt;b&gt; &amp; \'quotes\' "too"',
  'שלום \u202Eevil.exe\u202C عالم',
  '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 e\u0301',
  'two\nlines  and\tblanks',
  'a'.repeat(5_000),
]

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('the page of a hook', { timeout: 600_000 }, () => {
    const app = useApp()
    let browser: Browser
    let page: Page
    const complaints: string[] = []

    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    })
    afterEach(async () => {
      complaints.length = 0
      await page.context().close()
    })
    afterAll(() => browser.close())

    const open = async (password: string, path = `/hooks/${app().hookId}`) => {
      const context = await browser.newContext({ httpCredentials: { username: 'operator', password } })
      page = await context.newPage()
      page.setDefaultTimeout(180_000)
      page.on('console', (message) => void complaints.push(message.text()))
      page.on('pageerror', (error) => void complaints.push(String(error)))
      return page.goto(`${app().origin}${path}`)
    }
    const texts = () => page.locator('#messages .text').allTextContents()
    const shown = (count: number) =>
      count === 0
        ? page.getByText('No messages yet').waitFor()
        : page
            .locator('#messages li')
            .nth(count - 1)
            .waitFor()

    it('requires the token as the password', async () => {
      expect((await open('b-token'))?.status()).toBe(401)
      await page.context().close()
      const response = await open('a-token')
      expect(response?.status()).toBe(200)
      expect(response?.headers()['content-type']).toBe('text/html; charset=utf-8')
    })

    it('shows messages as they arrive, the newest first, without a reload', async () => {
      await post(app().origin, app().key, 'first')
      await open('a-token')
      await shown(1)
      await page.evaluate(`window.same = document.querySelector('#messages li')`)
      await post(app().origin, app().key, 'second')
      await shown(2)
      expect(await texts()).toEqual(['second', 'first'])
      expect(await page.evaluate(`window.same === document.querySelector('#messages li:last-child')`)).toBe(true)
      expect(complaints).toEqual([])
    })

    it('shows hostile texts unchanged, and executes none', async () => {
      const { id, key } = (await operate(app().origin, 'POST', '/hooks', { name: hostile[0] })).content
      for (const text of hostile) {
        const body = JSON.stringify({
          text,
          username: text,
          channel: text,
          attachments: [{ text }],
          props: { a: text },
        })
        const short = text.length > 2_048 ? JSON.stringify({ text }) : body
        expect((await sendRequest(app().origin, { path: `/hooks/${key}`, headers: json, body: short })).body).toBe('ok')
      }
      await open('a-token', `/hooks/${id}`)
      await shown(hostile.length)
      expect(await texts()).toEqual(hostile.toReversed())
      expect(await page.locator('h1').textContent()).toBe(hostile[0])
      expect(await page.title()).toBe(hostile[0])
      expect(await page.locator('#messages :is(script, img, svg)').count()).toBe(0)
      for (const details of await page.locator('details').all()) await details.locator('summary').click()
      const screenshot = process.env['UPKEEP_SCREENSHOT']
      if (screenshot !== undefined) await page.screenshot({ path: screenshot, fullPage: true })
      expect(complaints).toEqual([])
    })

    it('blocks injected scripts and styles', async () => {
      await open('a-token')
      await shown(0)
      await page.evaluate(`{
        const script = document.createElement('script')
        document.title = 'calm'
        try { script.append('document.title = "run"') } catch {}
        document.body.append(script)
      }`)
      expect(await page.title()).toBe('calm')
      expect(complaints.join('\n')).toMatch(/Content Security Policy|TrustedScript/)
    })

    it('reports that the hook was removed', async () => {
      const { id } = (await operate(app().origin, 'POST', '/hooks', {})).content
      await open('a-token', `/hooks/${id}`)
      const { headers } = await operate(app().origin, 'GET', `/hooks/${id}`)
      await operate(app().origin, 'DELETE', `/hooks/${id}`, undefined, { 'If-Match': headers.etag })
      await page.getByText('This hook is gone.').waitFor()
    })
  })
})
