import { describe, expect, it, vi } from 'vitest'
import { createCheckInvoker } from '../../src/health/checks/invoke-check.ts'
import { deferred } from '../support/deferred.ts'

const settled = () => new Promise(setImmediate)

describe('createCheckInvoker', () => {
  it('passes on the result once, always asynchronously', async () => {
    const onResult = vi.fn()
    createCheckInvoker()(() => 'UP', onResult)
    expect(onResult).not.toHaveBeenCalled()
    await settled()
    expect(onResult.mock.calls).toEqual([[{ status: 'UP' }]])
  })

  it('attaches one listener to a promise that is returned repeatedly, for the latest callback', async () => {
    const returned = deferred<string>()
    const then = vi.spyOn(returned.promise, 'then')
    const invoke = createCheckInvoker()
    const callbacks = [vi.fn(), vi.fn(), vi.fn()]
    for (const each of callbacks) invoke(() => returned.promise, each)
    await settled()
    expect(then).toHaveBeenCalledTimes(1)
    returned.resolve('UP')
    await settled()
    expect(callbacks.map(({ mock }) => mock.calls)).toEqual([[], [], [[{ status: 'UP' }]]])
  })

  it('attaches a new listener to a promise that has settled', async () => {
    const returned = Promise.resolve('UP')
    const invoke = createCheckInvoker()
    for (const onResult of [vi.fn(), vi.fn()]) {
      invoke(() => returned, onResult)
      await settled()
      expect(onResult.mock.calls).toEqual([[{ status: 'UP' }]])
    }
  })

  it('passes on the results of several pending promises', async () => {
    const [one, other] = [deferred<string>(), deferred<string>()]
    const [first, second] = [vi.fn(), vi.fn()]
    const invoke = createCheckInvoker()
    invoke(() => one.promise, first)
    invoke(() => other.promise, second)
    one.resolve('DOWN')
    other.resolve('UP')
    await settled()
    expect([first.mock.calls, second.mock.calls]).toEqual([[[{ status: 'DOWN' }]], [[{ status: 'UP' }]]])
  })
})
