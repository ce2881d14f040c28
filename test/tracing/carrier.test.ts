import { describe, expect, it } from 'vitest'
import { extractBaggage, extractTraceContext } from '../../src/tracing/context/carrier.ts'

const traceId = 'a'.repeat(32)
const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`
const unreadable = {
  get traceparent(): string {
    throw new Error('unreadable')
  },
  get baggage(): string {
    throw new Error('unreadable')
  },
}

describe('a carrier', () => {
  it.each([
    ['an object', { traceparent }],
    ['headers', new Headers({ traceparent })],
    ['a map', new Map([['traceparent', traceparent]])],
    ['bytes, as of Kafka', { traceparent: Buffer.from(traceparent) }],
    ['a part of a larger buffer', { traceparent: Buffer.from(`xx${traceparent}`).subarray(2) }],
    ['a list of one', { traceparent: [traceparent] }],
  ])('may be %s', (_, carrier) => {
    expect(extractTraceContext(carrier)?.traceId).toBe(traceId)
  })

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['empty', {}],
    ['unreadable', unreadable],
    ['with an empty field', { traceparent: '' }],
    ['with an empty list', { traceparent: [] }],
    ['with two fields', { traceparent: [traceparent, traceparent] }],
    ['with a number', { traceparent: 1 }],
  ])('has no trace context if it is %s', (_, carrier) => {
    expect(extractTraceContext(carrier)).toBeUndefined()
    expect(extractBaggage(carrier)).toBeUndefined()
  })

  it('may have a list of fields, of which those that are no text are empty', () => {
    const tracestate = ['a=1', Buffer.from('b=2'), 7, '']
    expect(extractTraceContext({ traceparent, tracestate })?.tracestate).toBe('a=1,b=2')
  })
})
