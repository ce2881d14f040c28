// Writes the table of docs/stability.md from what the support matrix has run; with --check, compares them.
// Usage, after `npm run matrix` and `npm run installs`: node scripts/matrix/table.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readResults, root } from './results.mjs'

const scripts = ['runtimes', 'frameworks', 'opentelemetry', 'installs']
const results = readResults()
const missing = scripts.filter((script) => !results.has(script))
if (missing.length > 0) throw new Error(`no results of ${missing.join(', ')}: run npm run matrix and npm run installs`)

const rows = new Map()
for (const { what, version, checks } of scripts.flatMap((script) => results.get(script))) {
  const key = `${what}|${checks}`
  rows.set(key, { what, checks, versions: [...(rows.get(key)?.versions ?? []), version] })
}
const table = [
  '| what | versions | what passes |',
  '|---|---|---|',
  ...[...rows.values()].map(({ what, versions, checks }) => `| ${what} | ${versions.join(', ')} | ${checks} |`),
].join('\n')

const file = join(root, 'docs/stability.md')
const page = readFileSync(file, 'utf8')
const written = page.replace(/(<!-- matrix -->\n\n)[\s\S]*?(\n\n<!-- end -->)/, (_, start, end) => start + table + end)
if (!page.includes('<!-- matrix -->')) throw new Error(`${file}: expected <!-- matrix --> and <!-- end -->`)
if (!process.argv.includes('--check')) writeFileSync(file, written)
else if (page !== written) {
  console.log(`docs/stability.md does not have this table: run node scripts/matrix/table.mjs\n${table}`)
  process.exitCode = 1
}
