import { describe, expect, it, vi } from 'vitest'
import { createMemoryRule } from '../../../src/watch/recorder/memory-limit.ts'

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
