import { describe, expect, it, vi } from 'vitest'
import { createHearing } from '../../src/health/checks/hearing.ts'
import { defer } from '../support/fake-time.ts'

const settled = () => new Promise(setImmediate)

describe('createHearing', () => {
  it('tells what is answered once, and never at once', async () => {
    const heard = vi.fn()
    createHearing()(() => 'UP', heard)
    expect(heard).not.toHaveBeenCalled()
    await settled()
    expect(heard.mock.calls).toEqual([[{ status: 'UP' }]])
  })

  it('listens once to a promise that it is handed again and again, for the latest who asked', async () => {
    const answer = defer<string>()
    const then = vi.spyOn(answer.promise, 'then')
    const hear = createHearing()
    const heard = [vi.fn(), vi.fn(), vi.fn()]
    for (const each of heard) hear(() => answer.promise, each)
    await settled()
    expect(then).toHaveBeenCalledTimes(1)
    answer.resolve('UP')
    await settled()
    expect(heard.map(({ mock }) => mock.calls)).toEqual([[], [], [[{ status: 'UP' }]]])
  })

  it('listens anew to a promise that has settled', async () => {
    const answer = Promise.resolve('UP')
    const hear = createHearing()
    for (const heard of [vi.fn(), vi.fn()]) {
      hear(() => answer, heard)
      await settled()
      expect(heard.mock.calls).toEqual([[{ status: 'UP' }]])
    }
  })

  it('hears each of several promises that are open at the same time', async () => {
    const [one, other] = [defer<string>(), defer<string>()]
    const [first, second] = [vi.fn(), vi.fn()]
    const hear = createHearing()
    hear(() => one.promise, first)
    hear(() => other.promise, second)
    one.resolve('DOWN')
    other.resolve('UP')
    await settled()
    expect([first.mock.calls, second.mock.calls]).toEqual([[[{ status: 'DOWN' }]], [[{ status: 'UP' }]]])
  })
})
