// Writes the table of cases into docs/contract.md. Usage, after `npm run build`: node scripts/contract-table.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { contract } from 'upkeep/contract'
import { caseTable } from './case-table.mjs.mts'

const page = new URL('../docs/contract.md', import.meta.url)
const baseUrl = 'http://127.0.0.1'
const table = caseTable(contract({ baseUrl }), contract({ baseUrl, profile: 'spring' }))
const [before, rest] = readFileSync(page, 'utf8').split('<!-- cases -->\n')
const [, after] = rest.split('<!-- end of cases -->\n')
writeFileSync(page, `${before}<!-- cases -->\n${table}<!-- end of cases -->\n${after}`)
