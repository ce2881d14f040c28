// Writes the pages of the documentation, compressed, to dist/docs.json.br, which `upkeep docs` and `upkeep explain`
// read. A step of scripts/build.mjs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'docs')

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
const pages = names.map((name) => [
  name.replace(/\.md$/, '').replaceAll('\\', '/'),
  readFileSync(join(folder, name), 'utf8'),
])
const moved = JSON.parse(readFileSync(join(folder, 'redirects.json'), 'utf8'))
const text = JSON.stringify({
  pages: Object.fromEntries(pages.sort(([one], [other]) => (one < other ? -1 : 1))),
  moved,
})
// The whole text is one window, so that repetitions in other pages are found.
const params = { [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text) }
writeFileSync(join(root, 'dist/docs.json.br'), brotliCompressSync(text, { params }))
