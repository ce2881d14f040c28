import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Pages } from '../../../src/cli/documentation/pages.ts'

const folder = resolve(import.meta.dirname, '../../../docs')

/** Returns the pages of the documentation as `upkeep docs` has them. */
export function readDocs(): Pages {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return Object.fromEntries(
    names.map((name) => [name.slice(0, -'.md'.length), readFileSync(join(folder, name), 'utf8')]),
  )
}
