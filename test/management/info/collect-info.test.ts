import type { InfoContributor } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { createInfoReader } from '../../../src/management/info/collect-info.ts'
import { useFakeTime } from '../../support/fake-time.ts'

useFakeTime()

const good: InfoContributor = () => ({ good: true })
const shapeError = (received: string) =>
  new TypeError(`expected an object or undefined from an info contributor, received ${received}`)

function collect(...contributors: readonly unknown[]) {
  const report = vi.fn()
  const info = createInfoReader(contributors as readonly InfoContributor[], report)()
  return { info, reported: report.mock.calls }
}

describe('createInfoReader', () => {
  it('returns an empty object without contributors or parts', async () => {
    expect(await collect().info).toEqual({})
    const { info, reported } = collect(
      () => undefined,
      async () => undefined,
    )
    expect([await info, reported]).toEqual([{}, []])
  })

  it('merges the parts, in the order of the contributors', async () => {
    const { info } = collect(
      () => ({ build: { name: 'a' }, app: 1 }),
      async () => ({ git: { branch: 'main' } }),
      () => ({ app: { two: 2 } }),
    )
    expect(JSON.stringify(await info)).toBe('{"build":{"name":"a"},"app":{"two":2},"git":{"branch":"main"}}')
  })

  it('converts parts to JSON when they are read', async () => {
    const part = { at: new Date(0), nothing: undefined, list: [1] }
    const info = await collect(() => part).info
    part.list.push(2)
    expect(info).toStrictEqual({ at: '1970-01-01T00:00:00.000Z', list: [1] })
  })

  it('supports parts named like a property of every object', async () => {
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
    ['returns a string', () => 'no', shapeError('"no"')],
    ['returns an array', () => [1], shapeError('an array')],
    ['returns null', () => null, shapeError('null')],
    ['returns a function', () => good, shapeError('a function')],
    ['returns an object that is converted to a string', () => new Date(0), shapeError('"1970-01-01T00:00:00.000Z"')],
    ['returns a BigInt', () => ({ free: 1n }), expect.any(TypeError)],
    ['returns a circular object', () => circle, expect.any(TypeError)],
  ])('omits only the part of a contributor that %s, and reports it', async (_, contributor, error) => {
    const { info, reported } = collect(contributor, good)
    expect(await info).toEqual({ good: true })
    expect(reported).toEqual([['an info contributor failed', error]])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('omits only the part of a contributor that does not settle within five seconds', async () => {
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
