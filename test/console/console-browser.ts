import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

/** Each screen of the console, by the heading of a card of it. */
export const screens = {
  overview: 'Process',
  requests: 'Recent requests',
  health: 'Changes of the last hour',
  metrics: 'Meters',
  logs: 'Records',
  diagnostics: 'Heap dump',
  dependencies: 'Scheduled tasks',
  environment: 'Bill of materials',
}

/** A page of a browser, and what the browser complains about, such as a violation of its policy. */
export interface OpenedPage {
  readonly page: Page
  readonly complaints: readonly string[]
}

export interface ConsoleBrowser {
  open(url: string): Promise<OpenedPage>
  signIn(page: Page, token: string): Promise<void>
  /** Shows each screen, and calls `shown` with its text. */
  visit(page: Page, shown: (text: string) => void): Promise<void>
}

export function card(page: Page, name: string): ReturnType<Page['locator']> {
  return page.getByRole('region', { name, exact: true }).first()
}

/** Starts Chromium for the tests of a suite. */
export function useConsoleBrowser(executablePath: string): ConsoleBrowser {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  })
  afterAll(() => browser.close())
  return {
    async open(url) {
      const context = await browser.newContext()
      onTestFinished(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(180_000)
      const complaints: string[] = []
      page.on('pageerror', (error) => void complaints.push(String(error)))
      page.on('console', (message) => {
        // Chromium reports the 401 that asks for the credential.
        if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text())
      })
      await page.goto(url)
      return { page, complaints }
    },
    async signIn(page, token) {
      await page.getByRole('textbox', { name: 'Token' }).fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await card(page, 'Process').waitFor()
    },
    async visit(page, shown) {
      for (const [screen, heading] of Object.entries(screens)) {
        await page.evaluate(`location.hash = '#/${screen}'`)
        await card(page, heading).waitFor()
        shown(await page.locator('body').innerText())
      }
    },
  }
}
