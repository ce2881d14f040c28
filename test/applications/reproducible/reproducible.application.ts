import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** Returns the digest of the tarball that a build has packed. */
function digestOf(folder: string): string {
  const [file = ''] = readdirSync(join(folder, 'build')).filter((name) => name.endsWith('.tgz'))
  return createHash('sha256')
    .update(readFileSync(join(folder, 'build', file)))
    .digest('hex')
}

/** What a build has that runs a year later. */
const later = `const now = Date.now
Date.now = () => now() + 365 * 86_400_000
globalThis.Date = class extends Date { constructor(...args) { super(...(args.length === 0 ? [Date.now()] : args)) } }
`

it('the tarball is the same, byte for byte, at another path, by another clock, and in another language', async () => {
  const folder = mkdtempSync(join(root, 'build/reproducible-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const copy = join(folder, 'another/path of the repository')
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const file of files.split('\0').filter((each) => each !== '' && !each.startsWith('test/'))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
    utimesSync(join(copy, file), 1e9, 1e9)
  }
  // Links to each file, which need the same file system: esbuild names paths as they are.
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')])
  writeFileSync(join(folder, 'later.cjs'), later)
  const env = {
    ...process.env,
    TZ: 'Asia/Tokyo',
    LANG: 'tr_TR.UTF-8',
    NODE_OPTIONS: `--require "${join(folder, 'later.cjs')}"`,
  }
  await run(process.execPath, ['scripts/build.mjs'], { cwd: copy, env })
  expect(digestOf(copy)).toBe(digestOf(root))
})
