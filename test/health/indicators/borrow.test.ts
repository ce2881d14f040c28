import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createBorrow } from '../../../src/health/indicators/borrow.ts'
import { measureLiveHeap } from '../../support/collect-garbage.ts'

/** A pool whose connections are handed out by hand. */
function createPool() {
  const requests: { readonly give: (connection: string) => void; readonly fail: (error: unknown) => void }[] = []
  const released: string[] = []
  const lease = createBorrow<string>({
    acquire: () => new Promise((give, fail) => requests.push({ give, fail })),
    release: (connection, broken) => released.push(broken ? `${connection} broken` : connection),
  })
  return { lease, requests, released }
}

const never = new AbortController().signal
const reason = new Error('deadline')
const hang = () => new Promise<never>(() => {})
const use = (connection: string) => Promise.resolve(`used ${connection}`)

describe('createBorrow', () => {
  it('borrows a connection and releases it', async () => {
    const { lease, requests, released } = createPool()
    const result = lease(never, use)
    requests[0]?.give('a')

    await expect(result).resolves.toBe('used a')
    expect(released).toEqual(['a'])
    expect(getEventListeners(never, 'abort')).toEqual([])
  })

  it('releases as broken a connection whose work rejects', async () => {
    const { lease, requests, released } = createPool()
    const result = lease(never, () => Promise.reject(reason))
    requests[0]?.give('a')

    await expect(result).rejects.toBe(reason)
    expect(released).toEqual(['a broken'])
  })

  it('releases as broken a connection whose work throws', async () => {
    const { lease, requests, released } = createPool()
    const result = lease(never, () => {
      throw reason
    })
    requests[0]?.give('a')

    await expect(result).rejects.toBe(reason)
    expect(released).toEqual(['a broken'])
  })

  it('releases as broken a connection whose work is pending when the signal aborts', async () => {
    const { lease, requests, released } = createPool()
    const controller = new AbortController()
    const result = lease(controller.signal, hang)
    requests[0]?.give('a')
    await new Promise(setImmediate)
    controller.abort(reason)

    await expect(result).rejects.toBe(reason)
    expect(released).toEqual(['a broken'])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('releases a connection for which no borrower waits', async () => {
    const { lease, requests, released } = createPool()
    const controller = new AbortController()
    const result = lease(controller.signal, use)
    controller.abort(reason)
    await expect(result).rejects.toBe(reason)
    requests[0]?.give('a')

    await expect.poll(() => released).toEqual(['a'])
  })

  it('passes the connection of an aborted borrower to the next', async () => {
    const { lease, requests, released } = createPool()
    const controller = new AbortController()
    const left = lease(controller.signal, use)
    controller.abort(reason)
    await expect(left).rejects.toBe(reason)
    const next = lease(never, use)
    requests[0]?.give('a')

    await expect(next).resolves.toBe('used a')
    requests[1]?.give('b')
    await expect.poll(() => released).toEqual(['a', 'b'])
  })

  it('acquires at most three from a pool that hangs', async () => {
    const { lease, requests } = createPool()
    for (let time = 0; time < 10; time++) {
      const controller = new AbortController()
      const result = lease(controller.signal, use)
      controller.abort(reason)
      await expect(result).rejects.toBe(reason)
    }
    const last = lease(never, use)
    expect(requests).toHaveLength(3)
    requests[2]?.give('c')

    await expect(last).resolves.toBe('used c')
  })

  it('acquires for waiting borrowers as soon as others have failed', async () => {
    const { lease, requests } = createPool()
    const results = [1, 2, 3, 4, 5].map(() => lease(never, use))
    const settled = Promise.allSettled(results)
    expect(requests).toHaveLength(3)
    for (const request of requests.slice(0, 3)) {
      request.fail(reason)
    }
    await expect.poll(() => requests.length).toBe(5)
    requests[3]?.give('d')
    requests[4]?.give('e')

    expect((await settled).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
  })

  it('does not reject a borrower because of an earlier failure', async () => {
    const { lease, requests } = createPool()
    const controller = new AbortController()
    const left = lease(controller.signal, use)
    controller.abort(reason)
    await expect(left).rejects.toBe(reason)
    const next = lease(never, use)
    requests[0]?.fail(new Error('timed out long ago'))
    await new Promise(setImmediate)
    requests[1]?.give('b')

    await expect(next).resolves.toBe('used b')
  })

  it('acquires nothing for a signal that has aborted', async () => {
    const { lease, requests } = createPool()

    await expect(lease(AbortSignal.abort(reason), use)).rejects.toBe(reason)
    expect(requests).toEqual([])
  })

  it('retains nothing of 10,000 borrowers that were aborted', async () => {
    const { lease, requests } = createPool()
    const giveUp = async (times: number) => {
      for (let time = 0; time < times; time++) {
        const controller = new AbortController()
        const result = lease(controller.signal, use)
        controller.abort(reason)
        await result.catch(() => {})
      }
    }
    await giveUp(1_000)
    const before = await measureLiveHeap()
    await giveUp(10_000)

    expect((await measureLiveHeap()) - before).toBeLessThan(500_000)
    expect(requests).toHaveLength(3)
  })
})
