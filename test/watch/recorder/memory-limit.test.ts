import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMemoryRule } from '../../../src/watch/recorder/memory-limit.ts'
import { built } from '../../support/built.ts'
import { describeWith } from '../../support/describe-with.ts'
import { nextCapture, startRecorded } from './service.ts'

describe('the rule of memory', () => {
  function start(isAdmitted = true) {
    const profile = vi.fn(async () => undefined)
    let used = 0
    const check = createMemoryRule({ admit: () => isAdmitted, profile }, 0.8, () => ({ used, limit: 1_000 * 2 ** 20 }))
    const use = (megabytes: number) => {
      used = megabytes * 2 ** 20
      check()
      return profile.mock.calls.length
    }
    return { use, profile }
  }

  it('applies when the share is exceeded, and again when the use was lower by a twentieth meanwhile', () => {
    const { use } = start()
    expect([799, 800, 900, 790, 900, 751, 800, 749, 800].map(use)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 2])
  })

  it('profiles the heap, with the figures', () => {
    const { use, profile } = start()
    use(850)
    expect(profile.mock.calls).toEqual([
      [
        expect.objectContaining({
          ...{ rule: 'memory', reason: 'the container uses 850 MiB of 1000 MiB of memory' },
          details: { usedBytes: 850 * 2 ** 20, limitBytes: 1_000 * 2 ** 20 },
        }),
        { type: 'heap' },
      ],
    ])
  })

  it('captures nothing that is not admitted, nor without a limit', () => {
    expect(start(false).use(900)).toBe(0)
    const profile = vi.fn(async () => undefined)
    createMemoryRule({ admit: () => true, profile }, 0.8, () => undefined)()
    expect(profile).not.toHaveBeenCalled()
  })
})

/** A control group with a limit of 256 MiB, below which the test may create others. */
const group = `/sys/fs/cgroup/memory/upkeep-test-${process.pid}`

function missingGroup(): string | undefined {
  try {
    mkdirSync(group)
    writeFileSync(`${group}/memory.limit_in_bytes`, String(256 * 2 ** 20))
    rmdirSync(group)
    return undefined
  } catch {
    return 'a control group for memory (version 1) cannot be created here, so its limit is not tested'
  }
}

describeWith('the flight recorder of a container', missingGroup(), () => {
  beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

  it('profiles the memory that is allocated near the limit', { timeout: 60_000 }, async () => {
    mkdirSync(group)
    onTestFinished(() => rmdirSync(group))
    writeFileSync(`${group}/memory.limit_in_bytes`, String(256 * 2 ** 20))
    const service = await startRecorded({
      recorder: { memory: 0.4, duration: '1s', blockedLoop: false },
      within: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh'],
    })
    onTestFinished(() => service.child.kill())
    service.perform('keep 0')
    const capture = await nextCapture(service)
    expect(capture).toMatchObject({
      ...{ rule: 'memory', type: 'heap', details: { limitBytes: 256 * 2 ** 20 } },
      reason: expect.stringMatching(/^the container uses 1\d\d MiB of 256 MiB of memory$/),
    })
    const profile = await service.send(`captures/${capture.id}?format=cpuprofile`)
    expect(profile.headers['content-disposition']).toContain('.heapprofile')
    expect(profile.body).toContain('keepMemory')
  })
})
