import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryPages } from '../../../scripts/site/entry-pages.mjs'
import { pageNames, readPage } from '../../../scripts/site/pages.mjs'
import { describeProgram } from '../../support/describe-program.ts'
import { listenOn } from '../../support/listen.ts'

const root = resolve(import.meta.dirname, '../../..')
const site = join(root, 'build/site')
const names = pageNames()
const moved: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'docs/redirects.json'), 'utf8'))
const run = promisify(execFile)

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Serves the site below a folder, as a project page does. */
const server = createServer((req, res) => {
  const path = decodeURIComponent(new URL(req.url ?? '/', 'http://site').pathname)
  const file = join(site, path.replace(/^\/upkeep\//, '/').replace(/\/$/, '/index.html'))
  if (!path.startsWith('/upkeep/') || !existsSync(file) || !statSync(file).isFile()) {
    res.writeHead(404).end()
    return
  }
  res.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file))
})

let origin: string
beforeAll(async () => {
  await run(process.execPath, ['scripts/install-packages.mjs', 'scripts/site'], { cwd: root })
  await run(process.execPath, ['scripts/site/build.mjs'], { cwd: root, maxBuffer: 10_000_000 })
  origin = `http://127.0.0.1:${await listenOn(server)}/upkeep`
}, 300_000)
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('the site of the documentation', () => {
  it('has each page, as HTML and as the Markdown that it is made from', () => {
    expect(names.length).toBeGreaterThan(30)
    for (const name of names) {
      expect(readFileSync(join(site, `${name}.html`), 'utf8'), name).toContain('<main')
      expect(readFileSync(join(site, `${name}.md`), 'utf8'), name).toBe(readPage(name))
    }
  })

  it('has a page for each entry point, with each of its names', () => {
    expect(entryPages.length).toBeGreaterThan(20)
    for (const { name } of entryPages) {
      const report = readFileSync(join(root, `api/${name.replace('entry-points/', '')}.ts`), 'utf8')
      const [, values, types] = /: (\d+) values, (\d+) types\./.exec(report) ?? []
      const headings = readFileSync(join(site, `${name}.html`), 'utf8').match(/<h3 id="/g) ?? []
      expect(headings.length, name).toBeGreaterThan(0)
      expect(headings.length, name).toBe(Number(values) + Number(types))
    }
  })

  it('has links to pages and headings that exist, also from addresses of earlier versions', () => {
    const read = (name: string) => readFileSync(join(site, name), 'utf8')
    const broken: string[] = []
    for (const name of [...names, ...Object.keys(moved)]) {
      const links = [...read(`${name}.html`).matchAll(/(?:href="|url=)\/upkeep\/([\w/-]*(?:\.html)?)(?:#([^"]+))?"/g)]
      expect(links.length, name).toBeGreaterThan(0)
      for (const [, path = '', fragment] of links) {
        const file = path === '' ? 'index.html' : path
        const isThere = existsSync(join(site, file))
        const hasHeading = fragment === undefined || (isThere && read(file).includes(`id="${decodeURI(fragment)}"`))
        if (!hasHeading) broken.push(`${name}: ${path}#${fragment}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('has llms.txt, whose links it serves, and llms-full.txt with each page', async () => {
    const links = [...readFileSync(join(site, 'llms.txt'), 'utf8').matchAll(/\]\(\/upkeep(\/[^)]+)\)/g)]
    expect(links).toHaveLength(names.length)
    for (const [, path] of links) expect((await fetch(origin + path)).status, path).toBe(200)
    const full = readFileSync(join(site, 'llms-full.txt'), 'utf8')
    for (const name of names) expect(full, name).toContain(readPage(name))
  })
})

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  })
  afterAll(() => browser.close())

  /** Opens a page of a browser that reaches nothing but the site. */
  async function withPage<T>(width: number, use: (page: Page) => Promise<T>): Promise<T> {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(180_000)
      const complaints: string[] = []
      await page.route('**/*', (route) => {
        const isOwn = route.request().url().startsWith(`${origin}/`)
        if (!isOwn) complaints.push(`requested ${route.request().url()}`)
        return isOwn ? route.continue() : route.abort()
      })
      page.on('pageerror', (error) => void complaints.push(String(error)))
      const result = await use(page)
      expect(complaints).toEqual([])
      return result
    } finally {
      await context.close()
    }
  }

  it.each([360, 1_440])('each page fits a window of %i pixels, and requests nothing from elsewhere', async (width) => {
    await withPage(width, async (page) => {
      const all = [...names, ...entryPages.map(({ name }) => name)]
      for (const name of ['', ...all.map((each) => `${each}.html`)]) {
        await page.goto(`${origin}/${name}`)
        await page.locator('h1').first().waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
      }
    })
  })

  it('finds the section about an error code', async () => {
    await withPage(1_440, async (page) => {
      await page.goto(`${origin}/start/express.html`)
      await page.getByRole('button', { name: 'Search' }).first().click()
      await page.getByRole('searchbox').fill('UPKEEP_EOPTION')
      await page.locator('.result').first().waitFor()
      expect(await page.locator('.result').first().getAttribute('href')).toContain('/upkeep/reference/errors.html')
    })
  })

  it('finds what the pages of earlier versions were about', { timeout: 600_000 }, async () => {
    await withPage(1_440, async (page) => {
      await page.goto(`${origin}/start/express.html`)
      await page.getByRole('button', { name: 'Search' }).first().click()
      const missed: string[] = []
      for (const [name, place] of Object.entries(moved)) {
        await page.getByRole('searchbox').fill(name.replace(/^.*\//, '').replaceAll('-', ' '))
        const path = place.startsWith('README') ? 'migrate/' : `${place.split('#')[0]}.html`
        const result = page.locator(`.result[href^="/upkeep/${path}"]`).first()
        await result.waitFor({ timeout: 180_000 }).catch(() => missed.push(name))
      }
      expect(missed).toEqual([])
    })
  })

  it('leads from an address of an earlier version to the section that has its content', async () => {
    await withPage(1_440, async (page) => {
      await page.goto(`${origin}/opentelemetry-api.html`, { waitUntil: 'commit' })
      await page.waitForURL(/\/upkeep\/reference\/otlp\.html#opentelemetrys-api/)
    })
  })
})
