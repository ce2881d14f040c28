// Remembers what a build was made from and what it wrote, by content, so that it is repeated only when one has changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @typedef {object} Build
 * @property {string} record The file that describes the last build, from the root.
 * @property {readonly string[]} inputs The files and folders that it is made from.
 * @property {readonly string[]} outputs The files and folders that it writes.
 */

const code = [
  ...['src', 'adapters', 'examples', 'scripts/build-steps'],
  ...['scripts/entry-points.mjs', 'scripts/files-on-use.mjs', 'scripts/worker-source.mjs', 'scripts/page-files.mjs'],
  // The versions that are installed.
  ...['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'],
]

/** What `npm run build` does. @type {Build} */
export const packageBuild = {
  record: 'build/record.json',
  inputs: [
    ...code,
    'scripts/build.mjs',
    'scripts/example.mjs',
    'docs',
    'llms.txt',
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE.md',
    'README.md',
  ],
  outputs: ['dist', 'build/examples', 'build/modules-cjs.json', 'build/modules-esm.json', 'build/node_modules/upkeep'],
}

/** What `npm start` does. @type {Build} */
export const receiverBuild = {
  record: 'build/start/record.json',
  inputs: [...code, 'scripts/start.mjs'],
  outputs: ['build/start/node_modules/upkeep', 'build/start/webhook-receiver', 'build/start/package.json'],
}

/**
 * Runs a build unless nothing has changed since the last one that succeeded.
 *
 * @param {string} root
 * @param {Build} build
 * @param {() => void | Promise<void>} run
 * @returns {Promise<boolean>} whether it was run
 */
export async function buildIfChanged(root, build, run) {
  if (changesSinceBuild(root, build).length === 0) return false
  const record = join(root, build.record)
  rmSync(record, { force: true })
  // Read before, so that a file that changes during the build leads to another one.
  const inputs = digestsOf(root, build.inputs)
  await run()
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, JSON.stringify({ inputs, outputs: digestsOf(root, build.outputs) }))
  return true
}

/**
 * Returns the files that have changed, appeared or disappeared since a build: all if there was none.
 *
 * @param {string} root
 * @param {Build} build
 * @returns {readonly string[]} paths from the root
 */
export function changesSinceBuild(root, { record, inputs, outputs }) {
  const path = join(root, record)
  const last = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { inputs: {}, outputs: {} }
  const before = { ...last.inputs, ...last.outputs }
  const now = digestsOf(root, [...inputs, ...outputs])
  return Object.keys({ ...before, ...now }).filter((file) => before[file] !== now[file])
}

/** Returns a digest of each file, those in folders included. */
function digestsOf(root, paths) {
  const files = paths.flatMap((path) => filesIn(root, path))
  return Object.fromEntries(files.map((file) => [file, digestOf(readFileSync(join(root, file)))]))
}

function filesIn(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (!stats.isDirectory()) return [path]
  const entries = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
  // An example may have packages of its own.
  const own = entries.map((entry) => join(path, entry)).filter((entry) => !/[/\\](node_modules|build)[/\\]/.test(entry))
  return own.filter((entry) => statSync(join(root, entry)).isFile())
}

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('base64')
}
