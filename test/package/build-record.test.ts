import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildIfChanged, changesSinceBuild } from '../../scripts/build-steps/record.mjs'
import { folderWith } from '../support/folder-with.ts'

const build = { record: 'build/record.json', inputs: ['src', 'package.json', 'absent'], outputs: ['dist'] }

describe('a build', () => {
  let folder: string
  beforeEach(async () => {
    folder = await folderWith({ 'src/deep/a.ts': 'a', 'src/b.ts': 'b', 'package.json': '{}' })
  })

  const compile = async () => {
    const text = await readFile(join(folder, 'src/deep/a.ts'), 'utf8')
    await mkdir(join(folder, 'dist'), { recursive: true })
    await writeFile(join(folder, 'dist/a.js'), text.toUpperCase())
  }
  const run = () => buildIfChanged(folder, build, compile)
  const changes = () => changesSinceBuild(folder, build)

  it('runs when there was none before: every file has changed', async () => {
    expect([...changes()].sort()).toEqual(['package.json', 'src/b.ts', 'src/deep/a.ts'])
    expect(await run()).toBe(true)
    expect(await readFile(join(folder, 'dist/a.js'), 'utf8')).toBe('A')
    expect(changes()).toEqual([])
  })

  it('does not run again while every file has the same content, whenever it was written', async () => {
    await run()
    const later = new Date(Date.now() + 60_000)
    await utimes(join(folder, 'src/b.ts'), later, later)
    expect(await run()).toBe(false)
  })

  it.each<readonly [string, string, () => Promise<void>]>([
    ['a source changes', 'src/deep/a.ts', () => writeFile(join(folder, 'src/deep/a.ts'), 'c')],
    ['a source appears', 'src/c.ts', () => writeFile(join(folder, 'src/c.ts'), '')],
    ['a source disappears', 'src/b.ts', () => rm(join(folder, 'src/b.ts'))],
    ['a single file appears', 'absent', () => writeFile(join(folder, 'absent'), '')],
    ['what it wrote changes', 'dist/a.js', () => writeFile(join(folder, 'dist/a.js'), 'B')],
    ['what it wrote disappears', 'dist/a.js', () => rm(join(folder, 'dist'), { recursive: true })],
  ])('runs again when %s', async (_, path, change) => {
    await run()
    await change()
    expect(changes()).toEqual([path])
    expect(await run()).toBe(true)
    expect(await run()).toBe(false)
  })

  it('runs again after one that failed', async () => {
    await run()
    await writeFile(join(folder, 'src/b.ts'), 'c')
    const failing = buildIfChanged(folder, build, () => Promise.reject(new Error('not good')))
    await expect(failing).rejects.toThrow('not good')
    await writeFile(join(folder, 'src/b.ts'), 'b')
    expect(await run()).toBe(true)
  })

  it('runs again when a source has changed during the last one', async () => {
    await buildIfChanged(folder, build, async () => {
      await compile()
      await writeFile(join(folder, 'src/deep/a.ts'), 'c')
    })
    expect(changes()).toEqual(['src/deep/a.ts'])
  })
})
