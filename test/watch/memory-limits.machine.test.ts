import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { describeWith } from '../support/describe-with.ts'
import { createMemoryGroup, missingMemoryGroups } from '../support/memory-group.ts'
import { type Service, startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

/** Checks that everything but the heap dump works. */
async function isDiagnosed({ send, probe, child }: Service): Promise<void> {
  expect(await send('threaddump')).toMatchObject({ status: 200 })
  expect(await send('profile?seconds=0.2&format=folded')).toMatchObject({ status: 200 })
  expect(await send('profile?seconds=0.2&type=heap&format=folded')).toMatchObject({ status: 200 })
  expect(await send('health')).toMatchObject({ status: 200 })
  expect(await probe()).toMatchObject({ status: 200 })
  expect(child.process.exitCode).toBeNull()
}

describeWith('a container that nears its memory limit', missingMemoryGroups(), () => {
  const limit = 300_000_000

  async function start(options: Parameters<typeof startService>[0]) {
    const group = createMemoryGroup(limit)
    // Registered first, so that it is called last: when the process has ended.
    onTestFinished(group.remove)
    return { group, service: await startService({ stall: '60s', within: group.within, ...options }) }
  }

  it('refuses a heap dump with the figures of the container, again and again, and goes on', async () => {
    const { group, service } = await start({ strings: 60_000, heapdump: { factor: 12 } })
    for (let time = 0; time < 3; time += 1) {
      const { status, body } = await service.send('heapdump')
      expect(status, body).toBe(409)
      const { detail, used_heap, factor, required, available } = JSON.parse(body)
      expect(used_heap).toBeGreaterThan(60_000_000)
      expect([factor, required]).toEqual([12, 12 * used_heap])
      // That of the machine is a multiple of the limit.
      expect(available).toBeLessThan(limit - used_heap)
      expect(available).toBeGreaterThan(0)
      expect(detail).toMatch(/^A heap snapshot may need 12 times the used heap of \d+ MB, which is \d+ MB; /)
    }
    await isDiagnosed(service)
    expect(group.kills()).toBe(0)
  })

  it('takes a heap dump that it has the memory for', async () => {
    const { group, service } = await start({ heapdump: { factor: 12 } })
    const { status, body } = await service.send('heapdump')
    expect(status, body.slice(0, 500)).toBe(200)
    expect(JSON.parse(body).snapshot.node_count).toBeGreaterThan(10_000)
    await isDiagnosed(service)
    expect(group.kills()).toBe(0)
  })
})

describe('a process that nears the limit of its heap', () => {
  it('is dumped and profiled, and goes on', async () => {
    // Beyond four fifths of the limit, V8 ends a process whose collections take long and free little, dump or not.
    const service = await startService({ stall: '60s', strings: 70_000, flags: ['--max-old-space-size=100'] })
    const { status, body } = await service.send('heapdump')
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThan(70_000_000)
    await isDiagnosed(service)
    expect(service.child.err.lines).toEqual([])
  })
})
