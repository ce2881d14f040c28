import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Documentation } from '../../../src/cli/documentation/pages.ts'

const folder = resolve(import.meta.dirname, '../../../docs')

/** Returns the documentation as `upkeep docs` has them. */
export function readDocs(): Documentation {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    pages: Object.fromEntries(names.map((name) => [name.slice(0, -'.md'.length), read(name)])),
    moved: JSON.parse(read('redirects.json')),
  }
}
