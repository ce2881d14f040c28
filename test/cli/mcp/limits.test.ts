import { describe, expect, it } from 'vitest'
import { createRateLimit } from '../../../src/cli/mcp/rate-limit.ts'
import { sumByFunction } from '../../../src/cli/mcp/tools/folded-profile.ts'

describe('the rate of requests to a service', () => {
  function start() {
    const clock = { now: 1_000 }
    const waits: number[] = []
    const limit = createRateLimit({
      ...{ perSecond: 10, burst: 3, maximumWaitMilliseconds: 250, now: () => clock.now },
      wait: async (milliseconds) => void waits.push(milliseconds),
    })
    return { clock, waits, limit }
  }

  it('is not limited for a few, and delays the next ones', async () => {
    const { waits, limit } = start()
    for (let at = 0; at < 5; at++) await limit()
    expect(waits).toEqual([100, 200])
  })

  it('refuses what would wait for too long, until the others have been sent', async () => {
    const { clock, limit } = start()
    for (let at = 0; at < 5; at++) await limit()
    await expect(limit()).rejects.toThrow(/More than 10 requests per second/)
    clock.now += 100
    await limit()
  })
})

it('a profile is summed by function, with a recursive one counted once', () => {
  const text = 'main;a (x:1);b 10\nmain;a (x:1) 5\nmain;b;b 2\nno number\n;x 0\n'
  expect([...sumByFunction(text).values()]).toEqual([
    { name: 'a (x:1)', self: 5, total: 15 },
    { name: 'b', self: 12, total: 12 },
  ])
})
