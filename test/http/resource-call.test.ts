import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { ResourceCall } from '../../src/http/resource-call.ts'
import { requestWith } from '../support/management-request.ts'

function callOf(signal?: AbortSignal, extendIdleTimeout?: (milliseconds: number) => void) {
  const request = { ...requestWith({}), signal, extendIdleTimeout }
  return new ResourceCall(request, [], undefined, { authorize: undefined, report: () => {} })
}

describe('the signal of a call', () => {
  it('aborts with the reason of the request when the client disconnects', () => {
    const client = new AbortController()
    const { signal } = callOf(client.signal)
    expect(signal.aborted).toBe(false)
    client.abort('gone')
    expect([signal.aborted, signal.reason]).toEqual([true, 'gone'])
  })

  it('has aborted if the client has disconnected before', () => {
    const { signal } = callOf(AbortSignal.abort('gone'))
    expect([signal.aborted, signal.reason]).toEqual([true, 'gone'])
  })

  it('aborts although the client is still there, and the request does not', () => {
    const client = new AbortController()
    const call = callOf(client.signal)
    call.abort()
    expect([call.signal.aborted, client.signal.aborted]).toEqual([true, false])
  })

  it('is the same one each time, and never aborts without a client to disconnect', () => {
    const call = callOf()
    expect(call.signal).toBe(call.signal)
    expect(call.signal.aborted).toBe(false)
  })

  it('adds one listener to the request when it is first read, which the abort removes', () => {
    const client = new AbortController()
    const listeners = () => getEventListeners(client.signal, 'abort').length
    const call = callOf(client.signal)
    const before = listeners()
    const signals = [call.signal, call.signal]
    const during = listeners()
    client.abort()
    expect([before, during, listeners(), signals[1]?.aborted]).toEqual([0, 1, 0, true])
  })
})

describe('the idle timeout of a call', () => {
  it('is extended in milliseconds, where the server has one', () => {
    const extend = vi.fn()
    callOf(undefined, extend).extendIdleTimeout('2m')
    callOf().extendIdleTimeout('2m')
    expect(extend.mock.calls).toEqual([[120_000]])
  })

  it('is a duration', () => {
    expect(() => callOf(undefined, () => {}).extendIdleTimeout('soon' as never)).toThrow(RangeError)
  })
})
