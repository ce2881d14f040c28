// Builds the site of the documentation to build/site/: HTML that searches without a server, each page as Markdown,
// llms.txt and llms-full.txt, and a page that leads on for each address of an earlier version.
// Usage: npm run docs. UPKEEP_DOCS_BASE is the path below which it is served, by default /upkeep/.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { formatLlms } from '../llms.mjs'
import { pageNames, readPage, readSections, writePages } from './pages.mjs'

const root = resolve(import.meta.dirname, '../..')
const site = join(root, 'build/site')
const base = process.env['UPKEEP_DOCS_BASE'] ?? '/upkeep/'

writePages(join(import.meta.dirname, 'pages'))
const command = join(import.meta.dirname, 'node_modules/vitepress/bin/vitepress.js')
execFileSync(process.execPath, [command, 'build', import.meta.dirname], {
  env: { ...process.env, UPKEEP_DOCS_BASE: base },
  stdio: 'inherit',
})

for (const name of pageNames()) write(`${name}.md`, readPage(name))
write('llms.txt', formatLlms().replaceAll('](docs/', `](${base}`))
const listed = readSections().flatMap(({ pages }) => pages)
write('llms-full.txt', listed.map(({ name }) => readPage(name)).join('\n\n'))

const moved = JSON.parse(readFileSync(join(root, 'docs/redirects.json'), 'utf8'))
for (const [name, place] of Object.entries(moved)) {
  const [page, fragment] = place.split('#')
  const address = page === 'README' ? base : `${base}${page}.html${fragment ? `#${fragment}` : ''}`
  const refresh = `<meta http-equiv="refresh" content="0; url=${address}">`
  write(`${name}.html`, `<!doctype html><title>Moved</title>${refresh}<a href="${address}">This page has moved.</a>\n`)
}
console.log(`${listed.length} pages, ${Object.keys(moved).length} redirects: build/site/, for ${base}`)

function write(name, text) {
  const path = join(site, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
