import { execFile } from 'node:child_process'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderWith } from '../../support/folder-with.ts'

const main = 'build/examples/webhook-receiver/main.js'
/** Stands for the build: writes what is imported from. */
const build = `
const { mkdirSync, writeFileSync } = require('node:fs')
mkdirSync('build/examples/webhook-receiver', { recursive: true })
writeFileSync('build/package.json', '{}')
writeFileSync('${main}', 'console.log("started with", process.argv.slice(2).join())')
console.log('many lines')
`

describe('npm start', { timeout: 60_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await folderWith({
      'package.json': JSON.stringify({ type: 'module', scripts: { build: 'node build.cjs' } }),
      'build.cjs': build,
      'src/deep/a.ts': '',
      'adapters/a.ts': '',
      'examples/a.ts': '',
      'tsup.config.ts': '',
      'scripts/start.mjs': await readFile(resolve(import.meta.dirname, '../../../scripts/start.mjs'), 'utf8'),
    })
  })

  const start = () => promisify(execFile)(process.execPath, [join(folder, 'scripts/start.mjs'), '--new-hook'])

  it('builds once, without the lines of the build, and starts with the options', async () => {
    expect((await start()).stdout).toMatch(/^Building .*\nstarted with --new-hook\n$/)
    expect((await start()).stdout).toBe('started with --new-hook\n')
  })

  it('builds again when a source is newer', async () => {
    await start()
    const later = new Date(Date.now() + 1_000)
    await utimes(join(folder, 'src/deep/a.ts'), later, later)
    expect((await start()).stdout).toMatch(/^Building /)
  })

  it('shows why a build failed, and starts nothing', async () => {
    await writeFile(join(folder, 'build.cjs'), 'console.log("src/a.ts: not good"); process.exit(1)')
    await expect(start()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('src/a.ts: not good') })
  })
})
