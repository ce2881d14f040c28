import { getHeapStatistics } from 'node:v8'
import { memory } from 'upkeep/health'
import { describe, expect, it } from 'vitest'

const never = new AbortController().signal

describe('memory', () => {
  it('is UP with the heap of this thread and its limit', async () => {
    expect(await memory()(never)).toEqual({
      status: 'UP',
      details: {
        used: expect.toSatisfy((used: number) => used > 1e6 && used < getHeapStatistics().heap_size_limit),
        limit: getHeapStatistics().heap_size_limit,
        usage: expect.toSatisfy((usage: number) => usage > 0 && usage < 0.9),
        maxUsage: 0.9,
      },
    })
  })

  it.each([
    [{ used: 90, limit: 100 }, undefined, 'UP', 0.9],
    [{ used: 91, limit: 100 }, undefined, 'DOWN', 0.91],
    [{ used: 51, limit: 100 }, 0.5, 'DOWN', 0.51],
    [{ used: 100, limit: 100 }, 1, 'UP', 1],
    [{ used: 1, limit: 3 }, 0, 'DOWN', 0.333],
  ])('with %j and at most %d is %s', async (heap, maxUsage, status, usage) => {
    expect(await memory({ heap: () => heap, maxUsage })(never)).toMatchObject({ status, details: { ...heap, usage } })
  })

  it.each([-0.1, 1.1, Number.NaN])('refuses a share of %d', (maxUsage) => {
    expect(() => memory({ maxUsage })).toThrow(`memory: maxUsage: expected a number from 0 to 1, received ${maxUsage}`)
  })
})
