import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdFolder } from '../../../../examples/webhook-receiver/database/hold-folder.ts'

describe('holdFolder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'held-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('locks the folder until it is unlocked', async () => {
    const release = await holdFolder(folder)
    await expect(holdFolder(folder)).rejects.toThrow(`${folder} is in use by another receiver`)
    await expect(holdFolder(folder)).rejects.toThrow('in use')
    await release()
    const again = await holdFolder(folder)
    await again()
    expect(await readdir(join(folder, 'held-by'))).toEqual([])
  })

  it('is exclusive for concurrent callers', async () => {
    for (let round = 0; round < 20; round++) {
      const came = await Promise.allSettled([holdFolder(folder), holdFolder(folder), holdFolder(folder)])
      const held = came.filter((each) => each.status === 'fulfilled')
      expect(held.length).toBeLessThanOrEqual(1)
      for (const { value: release } of held) await release()
    }
  })

  it('acquires the lock of a process that was killed', async () => {
    const holder = `require('net').createServer().listen(process.argv[1], () => console.log('held'))`
    const first = await holdFolder(folder)
    await first()
    const child = spawn(process.execPath, ['-e', holder, join(folder, 'held-by', 'other.sock')])
    await once(child.stdout, 'data')
    await expect(holdFolder(folder)).rejects.toThrow('in use')

    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(join(folder, 'held-by'))).toEqual(['other.sock'])
    const release = await holdFolder(folder)
    expect(await readdir(join(folder, 'held-by'))).toHaveLength(1)
    await release()
  })

  it('reports the maximum length of a path that is too long', async () => {
    const deep = join(folder, 'a'.repeat(60), 'b'.repeat(60))
    await expect(holdFolder(deep)).rejects.toThrow('103 bytes')
  })
})
