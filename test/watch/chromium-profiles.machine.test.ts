import { createServer } from 'node:http'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { listenOn } from '../support/listen.ts'
import { startService } from './service.ts'

/** Spends its time in itself rather than in the clock, so that it is in the first rows of a table by self time. */
function burnInChromium(): number {
  const end = performance.now() + 20
  let sum = 0
  while (performance.now() < end) for (let at = 0; at < 10_000; at += 1) sum = Math.sqrt(sum + at)
  return sum
}

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('profiles in Chromium', () => {
    let browser: Browser
    let debugPort: number
    let base: string
    const management = createManagement({
      expose: ['profile'],
      authorize: () => ({ name: 'test' }),
      profile: { interval: '1ms' },
    })
    const timer = setInterval(burnInChromium, 40)

    beforeAll(async () => {
      base = `http://127.0.0.1:${await listenOn(createServer(manage(management)))}/management`
      debugPort = await freePort()
      const args = [`--remote-debugging-port=${debugPort}`, '--remote-allow-origins=*', '--no-sandbox', '--disable-gpu']
      browser = await chromium.launch({ executablePath, args })
    })
    afterAll(async () => {
      clearInterval(timer)
      management.close()
      await browser?.close()
    })

    it('draws a flame graph, shows a function, and finds it, under its own policy', async () => {
      const page = await browser.newPage()
      page.setDefaultTimeout(180_000)
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', ({ message }) => complaints.push(message))
      await page.goto(`${base}/profile?seconds=1&format=flamegraph`)
      expect(await page.title()).toMatch(/^Profile: wall, /)
      const box = await page.locator('#graph').boundingBox()
      expect(box?.width).toBeGreaterThan(300)
      expect(box?.height).toBeGreaterThan(18 * 3)
      // The second row is the main thread, which is the first of all threads.
      await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 27)
      expect(await page.locator('#place').textContent()).toMatch(/^main · [\d.]+ ms · [\d.]+ % · /)
      await page.locator('#search').fill('burnInChromium')
      expect(Number.parseFloat((await page.locator('#found').textContent()) ?? '')).toBeGreaterThan(50)
      const colours = await page.evaluate<number>(`(() => {
        const canvas = document.getElementById('graph')
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        const seen = new Set()
        for (let at = 0; at < data.length; at += 4) seen.add(data[at] + ',' + data[at + 1] + ',' + data[at + 2])
        return seen.size
      })()`)
      expect(colours).toBeGreaterThan(3)
      expect(complaints).toEqual([])
      await page.close()
    })

    /** Opens DevTools as a page, and evaluates a script there. */
    async function openDevTools(script: string): Promise<Page> {
      const page = await browser.newPage()
      page.setDefaultTimeout(180_000)
      await page.goto(`http://127.0.0.1:${debugPort}/devtools/devtools_app.html`)
      // The first attempts may come before DevTools has loaded its texts.
      await eventually(() => page.evaluate(script))
      return page
    }

    it('opens a .cpuprofile in DevTools', async () => {
      const text = await (await fetch(`${base}/profile?seconds=1&format=cpuprofile`)).text()
      const page = await openDevTools(`(async (text) => {
          const UI = await import('./ui/legacy/legacy.js')
          await UI.ViewManager.ViewManager.instance().showView('timeline')
          const { TimelinePanel } = await import('./panels/timeline/timeline.js')
          const file = new File([text], 'x.cpuprofile', { type: 'application/json' })
          await TimelinePanel.TimelinePanel.instance().loadFromFile(file)
        })(${JSON.stringify(text)})`)
      // Playwright's selectors look into shadow roots.
      // An introduction to the keys is above the tabs, so that a click does not reach them.
      // The tab is visible before DevTools has read the profile, and then does nothing.
      await eventually(async () => {
        await page.getByText('Bottom-up').first().dispatchEvent('mousedown', { button: 0 })
        await page.getByText('burnInChromium').first().waitFor({ timeout: 1000 })
      })
      await page.close()
    })

    it('opens a heap snapshot in DevTools, which counts the objects of a class', async () => {
      const { send } = await startService({ objects: 50_000 })
      const { status, bytes } = await send('heapdump')
      expect(status).toBe(200)
      const page = await openDevTools(`(async () => {
          const UI = await import('./ui/legacy/legacy.js')
          await UI.ViewManager.ViewManager.instance().showView('heap-profiler')
        })()`)
      const choosing = page.waitForEvent('filechooser')
      await page.getByText('Load profile').first().click()
      const buffer = Buffer.from(bytes)
      await (await choosing).setFiles({ name: 'orders.heapsnapshot', mimeType: 'application/json', buffer })
      // Its size is shown when all of it has been read.
      await page.locator('.heap-snapshot-sidebar-tree-item').filter({ hasText: /MB/ }).click()
      const row = page.locator('tr').filter({ hasText: 'RetainedOrder' }).first()
      await row.waitFor()
      expect(await row.textContent()).toContain('×50,000')
      await page.close()
    })
  })
})
