import type { InfoContributor } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { createInfoReader } from '../../../src/management/info/collect-info.ts'
import { holdTime } from '../../support/fake-time.ts'

holdTime()

const good: InfoContributor = () => ({ good: true })
const shape = new TypeError('an info contributor must answer an object, or undefined for nothing')

function collect(...contributors: readonly unknown[]) {
  const report = vi.fn()
  const info = createInfoReader(contributors as readonly InfoContributor[], report)()
  return { info, reported: report.mock.calls }
}

describe('createInfoReader', () => {
  it('is nothing where nobody contributes', async () => {
    expect(await collect().info).toEqual({})
    expect(
      await collect(
        () => undefined,
        async () => undefined,
      ).info,
    ).toEqual({})
  })

  it('merges the parts, in the order of the contributors', async () => {
    const { info } = collect(
      () => ({ build: { name: 'a' }, app: 1 }),
      async () => ({ git: { branch: 'main' } }),
      () => ({ app: { two: 2 } }),
    )
    expect(JSON.stringify(await info)).toBe('{"build":{"name":"a"},"app":{"two":2},"git":{"branch":"main"}}')
  })

  it('tells what was true then, as JSON', async () => {
    const part = { at: new Date(0), nothing: undefined, list: [1] }
    const told = await collect(() => part).info
    part.list.push(2)
    expect(told).toStrictEqual({ at: '1970-01-01T00:00:00.000Z', list: [1] })
  })

  it('keeps a part with the name of what every object has', async () => {
    expect(JSON.stringify(await collect(() => JSON.parse('{"__proto__":{"a":1}}')).info)).toBe('{"__proto__":{"a":1}}')
  })

  const circle: { self?: unknown } = {}
  circle.self = circle
  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
      new Error('no'),
    ],
    ['rejects', () => Promise.reject(new Error('no')), new Error('no')],
    ['answers a text', () => 'no', shape],
    ['answers a list', () => [1], shape],
    ['answers null', () => null, shape],
    ['answers a function', () => good, shape],
    ['answers what becomes a text', () => new Date(0), shape],
    ['answers a BigInt', () => ({ free: 1n }), expect.any(TypeError)],
    ['answers a circle', () => circle, expect.any(TypeError)],
  ])('costs a contributor that %s its own part, and tells', async (_, contributor, error) => {
    const { info, reported } = collect(contributor, good)
    expect(await info).toEqual({ good: true })
    expect(reported).toEqual([['an info contributor failed', error]])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('costs a contributor that hangs its own part', async () => {
    const { info, reported } = collect(() => new Promise(() => {}), good)
    await vi.advanceTimersByTimeAsync(4999)
    expect(reported).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await info).toEqual({ good: true })
    expect(reported).toEqual([
      [
        'an info contributor failed',
        new DOMException('an info contributor did not settle within 5000 ms', 'TimeoutError'),
      ],
    ])
    expect(vi.getTimerCount()).toBe(0)
  })
})
