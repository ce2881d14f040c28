// Writes the table of the naming conventions (test/instrumentation/conventions/tables.ts) into docs/conventions.md.
// Usage: node scripts/draw-conventions.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'

const root = resolve(import.meta.dirname, '..')
const page = resolve(root, 'docs/conventions.md')
const { outputFiles } = await build({
  entryPoints: [resolve(root, 'test/instrumentation/conventions/tables.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
})
const { drawConventions } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
const markers = /(<!-- conventions -->\n)[\s\S]*?(<!-- \/conventions -->)/
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(markers, (_, before, after) => `${before}${drawConventions()}\n${after}`),
)
