import { execFile } from 'node:child_process'
import { cp, symlink, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderWith } from '../../support/folder-with.ts'

const root = resolve(import.meta.dirname, '../../..')
const source = 'src/entries/index.ts'
const exporting = (name: string) => `export const name: string = '${name}'\n`

describe('npm start', { timeout: 600_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await folderWith({
      'package.json': JSON.stringify({
        name: 'upkeep',
        type: 'module',
        exports: { '.': './dist/index.js' },
        peerDependencies: {},
      }),
      [source]: exporting('upkeep'),
      'examples/webhook-receiver/main.ts': `
import { name } from 'upkeep'
console.log(name, 'started with', [...process.argv.slice(2), process.env.MANAGEMENT_TOKEN].join())
`,
    })
    await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  })

  const start = (env: Readonly<Record<string, string>> = { MANAGEMENT_TOKEN: 'secret' }) =>
    promisify(execFile)(process.execPath, [join(folder, 'scripts/start.mjs'), '--new-hook'], {
      env: { PATH: process.env['PATH'], ...env },
    })

  it('builds upkeep and the receiver once, and starts with the options', async () => {
    expect((await start()).stdout).toMatch(/^Building .*\nupkeep started with --new-hook,secret\n$/)
    expect((await start()).stdout).toBe('upkeep started with --new-hook,secret\n')
  })

  it('creates a token for a start with neither a token nor a database, and prints it', async () => {
    await start()
    const printed =
      /^MANAGEMENT_TOKEN is not set: for this start it is (\S{22})\n\nupkeep started with --new-hook,(\S+)\n$/
    const [first, second] = [printed.exec((await start({})).stdout), printed.exec((await start({})).stdout)]
    expect(first?.[2]).toBe(first?.[1])
    expect(second?.[1]).not.toBe(first?.[1])
    expect((await start({ DATABASE_URL: 'postgres://db' })).stdout).toBe('upkeep started with --new-hook,\n')
  })

  it('builds again when a source has changed', async () => {
    await start()
    await writeFile(join(folder, source), exporting('changed'))
    expect((await start()).stdout).toMatch(/^Building .*\nchanged started with --new-hook,secret\n$/)
  })

  it('does not build again when a source has been written with the same content', async () => {
    await start()
    const later = new Date(Date.now() + 1_000)
    await utimes(join(folder, source), later, later)
    expect((await start()).stdout).toBe('upkeep started with --new-hook,secret\n')
  })

  it('shows why a build failed, and starts nothing', async () => {
    await writeFile(join(folder, source), 'export const = 1\n')
    await expect(start()).rejects.toMatchObject({
      code: 1,
      stdout: expect.not.stringContaining('started'),
      stderr: expect.stringContaining(source),
    })
  })
})
