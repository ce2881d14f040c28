import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskSpace } from 'upkeep/health'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

const never = new AbortController().signal

describe('diskSpace', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disk-space-'))
    await writeFile(join(folder, 'file'), '')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('is UP with its details', async () => {
    const { blocks, bsize } = await statfs('.')

    expect(await diskSpace()(never)).toEqual({
      status: 'UP',
      details: {
        total: blocks * bsize,
        free: expect.toSatisfy((free: number) => free > 0 && free < blocks * bsize),
        threshold: 10_485_760,
        path: process.cwd(),
        exists: true,
      },
    })
  })

  it('is DOWN below the threshold', async () => {
    const { blocks, bsize } = await statfs(folder)
    const threshold = blocks * bsize + 1

    expect(await diskSpace({ path: folder, threshold })(never)).toMatchObject({
      status: 'DOWN',
      details: { threshold, path: folder, exists: true },
    })
  })

  it('is always UP with a threshold of 0', async () => {
    expect(await diskSpace({ path: folder, threshold: 0 })(never)).toMatchObject({
      status: 'UP',
      details: { threshold: 0 },
    })
  })

  it.each(['absent', 'file/below'])('is down where the path %j does not exist', async (name) => {
    expect(await diskSpace({ path: join(folder, name) })(never)).toEqual({
      status: 'DOWN',
      details: { total: 0, free: 0, threshold: 10_485_760, path: join(folder, name), exists: false },
    })
  })

  it('is DOWN with the error if the path cannot be read', async () => {
    const path = join(folder, 'x'.repeat(300))

    expect(await diskSpace({ path })(never)).toEqual({
      status: 'DOWN',
      details: { threshold: 10_485_760, path, error: expect.stringContaining('Error: ENAMETOOLONG') },
    })
  })

  it('resolves the path when it is created', async () => {
    const home = process.cwd()
    const indicator = diskSpace()
    // A worker thread has no directory of its own to change to.
    const changed = vi.spyOn(process, 'cwd').mockReturnValue(folder)
    onTestFinished(() => changed.mockRestore())
    expect(await diskSpace()(never)).toMatchObject({ details: { path: folder } })
    expect(await indicator(never)).toMatchObject({ details: { path: home } })
  })

  it('rejects immediately when it is aborted', async () => {
    const reason = new Error('deadline')

    await expect(diskSpace()(AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it.each([-1, Number.NaN])('refuses a threshold of %d', (threshold) => {
    expect(() => diskSpace({ threshold })).toThrow(
      `diskSpace: threshold: expected a number of bytes, received ${threshold}`,
    )
  })
})
