// What the support matrix has run: kept in build/matrix/, from which table.mjs writes the table of docs/stability.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'build/matrix')

/**
 * @typedef {object} Result
 * @property {string} what A row of the table, such as `Express`.
 * @property {string} version
 * @property {string} checks What passed, as the table says it.
 */

/** Collects what passes in a script, and replaces what it wrote before. Write it only after a complete run. */
export function createResults(script) {
  /** @type {Result[]} */
  const results = []
  const file = join(folder, `${script}.json`)
  return {
    add: (what, version, checks) => void results.push({ what, version, checks }),
    write() {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, JSON.stringify(results, undefined, 1))
    },
    remove: () => rmSync(file, { force: true }),
  }
}

/** @returns {ReadonlyMap<string, readonly Result[]>} by the script that wrote them */
export function readResults() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(names.map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]))
}
