// Writes the tables of cases into docs/guides/pipeline.md. Usage, after `npm run build`: node scripts/contract-table.mjs
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = new URL('../docs/guides/pipeline.md', import.meta.url)
const command = fileURLToPath(new URL('../build/node_modules/upkeep/dist/cli.cjs', import.meta.url))
const words = [command, 'contract', '--list', '--reporter', 'markdown']
const table = execFileSync(process.execPath, words, { encoding: 'utf8' })
const [before, rest] = readFileSync(page, 'utf8').split('<!-- cases -->\n')
const [, after] = rest.split('<!-- end of cases -->\n')
writeFileSync(page, `${before}<!-- cases -->\n\n${table}<!-- end of cases -->\n${after}`)
