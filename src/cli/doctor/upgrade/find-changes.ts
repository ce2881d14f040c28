import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { type Finding, findInCode } from './code-changes.ts'
import { findInQueries } from './query-changes.ts'

/** A finding, and its file from the folder. */
interface FoundChange extends Finding {
  readonly file: string
}

interface FoundChanges {
  readonly changes: readonly FoundChange[]
  /** How many files were read. */
  readonly files: number
  /** Files that were not read, with the reason. */
  readonly skipped: readonly string[]
}

/** The first minor version that has the changes. Later ones have none yet. */
const changedIn = 9

const code = ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx']
const queries = ['.json', '.yaml', '.yml']
const ignored = new Set(['node_modules', 'dist', 'build', 'coverage'])

const maxFiles = 20_000
const maxBytes = 1_000_000

/**
 * Searches the files of a folder and below for what has changed since a version, such as `0.1`. Without what is
 * installed, built, or hidden.
 *
 * @throws TypeError if the version is malformed.
 */
export function findChanges(folder: string, from: string): FoundChanges {
  const [, major, minor] = /^v?(\d+)\.(\d+)(?:\.\d+\S*)?$/.exec(from) ?? []
  if (minor === undefined) throw new TypeError(`--upgrade: expected a version such as 0.1, received ${from}`)
  if (Number(major) > 0 || Number(minor) >= changedIn) return { changes: [], files: 0, skipped: [] }
  const skipped: string[] = []
  const changes: FoundChange[] = []
  let files = 0
  for (const path of filesBelow(folder)) {
    const file = relative(folder, path)
    if (files === maxFiles) {
      skipped.push(`${file} and all after it: there are more than ${maxFiles} files`)
      break
    }
    if (statSync(path).size > maxBytes) {
      skipped.push(`${file}: it is larger than 1 MB`)
      continue
    }
    files += 1
    const text = readFileSync(path, 'utf8')
    const found = code.includes(extname(path)) ? findInCode(text) : findInQueries(text)
    changes.push(...found.map((each) => ({ file, ...each })))
  }
  return { changes, files, skipped }
}

function* filesBelow(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.') || ignored.has(entry.name) || entry.name.endsWith('-lock.json')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile() && [...code, ...queries].includes(extname(entry.name))) yield path
  }
}

/** Formats what was found as text for a terminal. */
export function changesAsText({ changes, files, skipped }: FoundChanges, from: string): string {
  const lines = changes.flatMap(({ file, line, what, instead }) => [`${file}:${line}: ${what}`, `  ${instead}`])
  const places = changes.length === 1 ? '1 place to change' : `${changes.length} places to change`
  return [
    ...lines,
    ...skipped.map((each) => `not read: ${each}`),
    `${places} since ${from}, in ${files} files. The changelog has changes of behaviour, which no file shows.`,
    '',
  ].join('\n')
}
