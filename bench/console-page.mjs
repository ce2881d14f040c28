// How fast the page of the console is in Chromium, for a service with 5,000 routes: its first content after that of an
// empty page, and the longest time from an input to the next frame. `npm run build`, then `node bench/console-page.mjs`.
import { Agent, createServer, get } from 'node:http'
import { chromium } from 'playwright-core'
import { load, median, missed, report } from './harness.mjs'

const { bearerToken, createManagement } = await load('upkeep')
const { manage, observe } = await load('upkeep/node')
const loads = Number(process.env.LOADS ?? 15)
const routes = 5_000
const token = 'let-me-in'

const management = createManagement({
  application: { name: 'orders', version: '1.0.0' },
  expose: ['health', 'metrics', 'console'],
  authorize: bearerToken(token),
  console: { maximumBytes: 48 * 2 ** 20 },
  metrics: { maximumSeriesPerMeter: 2 * routes },
})
const serve = manage(management)
const observed = observe(management, { route: ({ url }) => url.replace(/\/\d+$/, '/:id') })
const server = createServer((req, res) => {
  if (req.url === '/empty') return void res.setHeader('Content-Type', 'text/html').end('<title>empty</title><p>empty')
  if (req.url.startsWith('/management')) return void serve(req, res)
  observed(req, res, () => res.end('[]'))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`
await request(Array.from({ length: routes }, (_, at) => `/shops/s${at}/orders/1`))

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

const first = { empty: [], console: [] }
for (let round = 0; round < loads; round++) {
  first.empty.push(await firstContent(`${origin}/empty`))
  first.console.push(await firstContent(`${origin}/management`))
}
report(
  'console page: first content, milliseconds after that of an empty page',
  median(first.console) - median(first.empty),
  {
    atMost: 100,
    detail: `${median(first.console).toFixed(0)} ms, the empty page ${median(first.empty).toFixed(0)} ms`,
  },
)

const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.addInitScript(() => {
  globalThis.inputs = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) globalThis.inputs.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
})
await page.goto(`${origin}/management`)
await page.getByRole('textbox', { name: 'Token' }).fill(token)
await page.getByRole('button', { name: 'Sign in' }).click()
await page.getByText('● live').waitFor()
await page.evaluate(() => {
  location.hash = '#/requests'
})
// One of them stands for requests without a route.
await page.getByText(/of 5,00\d routes/).waitFor()

const filter = page.getByLabel('Filter routes')
const headers = page.locator('th button')
await measure('typing into the filter', async () => {
  await filter.click()
  for (const key of '/s49') await page.keyboard.press(key)
  for (let at = 0; at < 4; at++) await page.keyboard.press('Backspace')
})
await measure('sorting', async () => {
  for (let at = 0; at < 4; at++) await headers.nth(at).click()
})
for (const name of [
  'Overview',
  'Health',
  'Metrics',
  'Logs',
  'Diagnostics',
  'Dependencies',
  'Environment',
  'Requests',
]) {
  await measure(`opening ${name}`, async () => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.waitForFunction(() => !document.body.innerText.includes('Loading…'))
  })
}
await browser.close()
server.closeAllConnections()
server.close()
management.close()
process.exit(missed().length > 0 ? 1 : 0)

/** Returns the first contentful paint of a page in a browser that has nothing of it. */
async function firstContent(url) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const [{ startTime }] = JSON.parse(
    await page.evaluate(() => JSON.stringify(performance.getEntriesByName('first-contentful-paint'))),
  )
  await context.close()
  return startTime
}

/** Reports the longest time from an input of five repetitions to the next frame; Chromium reports those of 16 ms or more. */
async function measure(what, act) {
  await page.evaluate(() => {
    globalThis.inputs.length = 0
  })
  for (let at = 0; at < 5; at++) await act()
  // The entries come with the frame after the input.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  const inputs = await page.evaluate(() => globalThis.inputs)
  const longest = Math.max(0, ...inputs)
  report(`console page: ${what} with 5,000 routes, milliseconds`, longest, {
    atMost: 50,
    detail:
      inputs.length === 0 ? 'each less than 16 ms' : `${inputs.length} of 16 ms or more, median ${median(inputs)}`,
  })
}

/** Requests each path once, ten at a time. */
async function request(paths) {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 })
  let at = 0
  const client = async () => {
    while (at < paths.length) {
      const path = paths[at++]
      await new Promise((resolve, reject) => {
        get(`${origin}${path}`, { agent }, (res) => res.resume().on('end', resolve)).on('error', reject)
      })
    }
  }
  await Promise.all(Array.from({ length: 10 }, client))
  agent.destroy()
}
