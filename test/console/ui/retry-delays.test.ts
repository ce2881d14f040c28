import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  parseRetryAfter,
  pollDelay,
  reconnectDelay,
  requestedPause,
  wait,
} from '../../../src/console/ui/retry-delays.ts'

describe('the delay before the next connection', () => {
  it('doubles up to half a minute, of which half is random', () => {
    expect([0, 1, 2, 20].map((attempts) => reconnectDelay(attempts, 1))).toEqual([500, 1_000, 2_000, 30_000])
    expect([0, 20].map((attempts) => reconnectDelay(attempts, 0))).toEqual([250, 15_000])
  })
})

describe('the delay before a document is read again', () => {
  it('doubles after each failure up to half a minute, and is never shorter than the interval', () => {
    expect([0, 1, 2, 3, 4, 40].map((failures) => pollDelay(2_000, failures, undefined))).toEqual([
      ...[2_000, 4_000, 8_000, 16_000, 30_000, 30_000],
    ])
    expect(pollDelay(60_000, 9, undefined)).toBe(60_000)
  })

  it('is at least what the service requests, up to five minutes', () => {
    expect(pollDelay(2_000, 1, { retryAfter: 20 })).toBe(20_000)
    expect(pollDelay(2_000, 4, { retryAfter: 20 })).toBe(30_000)
    expect([{ retryAfter: 86_400 }, new Error('lost'), undefined].map(requestedPause)).toEqual([300_000, 0, 0])
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 26, 12)

  it.each([
    ['30', 30],
    ['0', 0],
    ['Thu, 26 Nov 2026 12:00:45 GMT', 45],
    ['Thu, 26 Nov 2026 11:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    [null, undefined],
  ])('%j is %j', (value, seconds) => {
    expect(parseRetryAfter(value, now)).toBe(seconds)
  })
})

describe('waiting', () => {
  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    for (let at = 0; at < 20; at++) await wait(0, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ends when the signal aborts', async () => {
    const controller = new AbortController()
    const waiting = wait(1e9, controller.signal)
    controller.abort()
    await waiting
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
