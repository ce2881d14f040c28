// The tables of docs/reference/endpoints.md, and what a runtime responds with: both are compared by the matrix, and by a test.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')

/**
 * Reads the table whose first cell is `name`. Returns the cells of a column by the endpoint, such as `yes` or
 * `501: --allow-worker`.
 *
 * @param {string} name
 * @param {string} column
 * @returns {Record<string, string>}
 */
export function documentedFeatures(name, column) {
  const lines = readFileSync(join(root, 'docs/reference/endpoints.md'), 'utf8').split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${name} |`) && cellsOf(line).includes(column))
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  const [header = [], , ...rows] = lines.slice(start, start + length).map(cellsOf)
  const at = header.indexOf(column)
  if (start < 0) throw new Error(`docs/reference/endpoints.md has no table "${name}" with a column "${column}"`)
  return Object.fromEntries(rows.flatMap((row) => namesOf(row[0] ?? '').map((endpoint) => [endpoint, row[at] ?? ''])))
}

const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''))

/** Cells such as `[env](env.md), [logfile](logfile.md)`. */
const namesOf = (cell) => cell.split(', ').map((each) => each.replace(/^\[(.*)\]\(.*\)$/, '$1'))

/**
 * Runs features.mjs by a command, such as `['node', '--permission']`. Returns one line for each endpoint that does not
 * respond as documented, or that is not in the table.
 *
 * @param {readonly string[]} command
 * @param {Record<string, string>} documented
 * @returns {Promise<readonly string[]>}
 */
export async function differingFeatures([program = '', ...args], documented) {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-features-'))
  try {
    writeFileSync(join(folder, 'app.log'), 'started\n')
    writeFileSync(join(folder, 'sbom.json'), '{"bomFormat": "CycloneDX"}')
    const command = [...args, join(root, 'scripts/features.mjs'), folder]
    const env = { ...process.env, NO_COLOR: '1' }
    const { stdout } = await promisify(execFile)(program, command, { env })
    const { reports, ...measured } = JSON.parse(stdout)
    const names = new Set([...Object.keys(measured), ...Object.keys(documented)])
    return [...names].flatMap((name) =>
      isAs(measured[name], documented[name])
        ? []
        : [`${name}: documented ${documented[name]}, measured ${measured[name]}`],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Whether a response, such as `501 Not available: …`, is as documented. */
function isAs(measured = '', documented = '') {
  if (documented === 'yes') return measured === '200'
  const [status = '', reason = ''] = documented.split(': ')
  return status !== '' && measured.startsWith(`${status} `) && reason !== '' && measured.includes(reason)
}

/** The arguments of Node that permit to load the package, and nothing else. */
export const onlyThePackage = `--allow-fs-read=${root}/*`
