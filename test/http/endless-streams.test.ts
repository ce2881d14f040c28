import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import type { Call } from '../../src/http/resource.ts'
import { createRouter } from '../../src/http/router.ts'
import { requestWith } from '../support/management-request.ts'
import { readText } from '../support/read-text.ts'

/** Opens streams on one server, endless by default; `listeners` counts those on a signal. */
function createStreams({ isEndless = true } = {}) {
  const draining = new AbortController()
  const signals: AbortSignal[] = []
  let ended = 0
  async function* count() {
    try {
      for (let at = 0; ; at++) yield `${at}\n`
    } finally {
      ended += 1
    }
  }
  const get = ({ signal }: Call) => {
    signals.push(signal)
    const offer = { mediaType: 'text/plain', render: count }
    return { offers: [offer] as const, caching: 'no-store' as const, isEndless }
  }
  const context = {
    router: createRouter([{ path: 'numbers', resource: { get } }]),
    authorize: undefined,
    clock: { wallTime: () => 0, monotonicTime: () => 0 },
    report: () => {},
    draining: draining.signal,
  }
  return {
    draining,
    signals,
    ended: () => ended,
    listeners: (signal: AbortSignal) => getEventListeners(signal, 'abort').length,
    async open() {
      const { body } = await exchange(requestWith({}), '/numbers', context)
      return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    },
  }
}

describe('an endless stream', () => {
  it('adds no listener per chunk', async () => {
    const { open, signals, listeners } = createStreams()
    const chunks = await open()
    await chunks.next()
    const [signal] = signals as [AbortSignal]
    const before = listeners(signal)
    for (let at = 0; at < 100; at++) {
      const next = chunks.next()
      expect(listeners(signal)).toBe(before)
      await next
    }
    await chunks.return?.()
    expect(listeners(signal)).toBeLessThan(before)
  })

  it('adds no listener to the signal of the drain after the first stream', async () => {
    const { open, draining, listeners } = createStreams()
    for (let at = 0; at < 50; at++) {
      const chunks = await open()
      expect(listeners(draining.signal)).toBe(1)
      if (at % 2 === 0) await chunks.return?.()
    }
  })

  it('ends when the server drains', async () => {
    const { open, draining, ended } = createStreams()
    const streams = [await open(), await open(), await open()]
    draining.abort()
    for (const chunks of streams) {
      expect(await readText({ [Symbol.asyncIterator]: () => chunks })).toBe('0\n')
    }
    expect(ended()).toBe(3)
    const late = await open()
    expect(await late.next()).toEqual({ done: true, value: undefined })
  })
})

describe('a stream with an end of its own', () => {
  it('is not ended when the server drains', async () => {
    const { open, draining, listeners } = createStreams({ isEndless: false })
    const chunks = await open()
    expect(listeners(draining.signal)).toBe(0)
    draining.abort()
    const read = [await chunks.next(), await chunks.next()]
    expect(read.map(({ value }) => String(value))).toEqual(['0\n', '1\n'])
    await chunks.return?.()
  })
})
