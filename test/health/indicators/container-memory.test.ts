import { containerMemory } from 'upkeep/health'
import { describe, expect, it } from 'vitest'

const never = new AbortController().signal

describe('containerMemory', () => {
  it('has the memory of the container, or else of the machine', async () => {
    const { status, details } = Object(await containerMemory({ maxUsage: 1 })(never))
    expect(status).toBe('UP')
    expect(details.used).toBeGreaterThan(1e6)
    expect(details.limit).toBeGreaterThan(details.used)
  })

  it.each([
    [{ used: 90, limit: 100 }, undefined, 'UP', 0.9],
    [{ used: 91, limit: 100 }, undefined, 'DOWN', 0.91],
    [{ used: 51, limit: 100 }, 0.5, 'DOWN', 0.51],
    [{ used: 100, limit: 100 }, 1, 'UP', 1],
  ])('with %j and at most %d is %s', async (memory, maxUsage, status, usage) => {
    expect(await containerMemory({ read: () => memory, maxUsage })(never)).toMatchObject({
      status,
      details: { ...memory, usage },
    })
  })

  it.each([-0.1, 1.1, Number.NaN])('refuses a share of %d', (maxUsage) => {
    expect(() => containerMemory({ maxUsage })).toThrow(
      `containerMemory: maxUsage: expected a number from 0 to 1, received ${maxUsage}`,
    )
  })
})
