import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { untilAborted } from '../../src/base/abortable.ts'

describe('untilAborted', () => {
  const reason = new Error('deadline')

  it('settles like the promise', async () => {
    const { signal } = new AbortController()

    await expect(untilAborted(Promise.resolve(5), signal)).resolves.toBe(5)
    await expect(untilAborted(Promise.reject(reason), signal)).rejects.toBe(reason)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('rejects with the reason of the signal if that aborts first', async () => {
    const controller = new AbortController()
    const result = untilAborted(new Promise(() => {}), controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort(reason)

    await expect(result).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('rejects with the reason of a signal that has aborted, and handles a later rejection', async () => {
    await expect(untilAborted(Promise.reject(new Error('late')), AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
