import { describe, expect, it } from 'vitest'
import {
  baggageHeaders,
  extractBaggage,
  extractTraceContext,
  traceHeadersOf,
} from '../../src/tracing/context/carrier.ts'
import { Baggage, emptyBaggage } from '../../src/tracing/context/context-baggage.ts'
import { createTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'

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
    ['with empty fields', { traceparent: '', baggage: '' }],
    ['with empty lists', { traceparent: [], baggage: [] }],
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

describe('the headers of an outgoing request', () => {
  const context = { traceId, spanId: 'b'.repeat(16), flags: 1 }
  const headersWith = (baggage: Baggage) => {
    const tracing = createTracing()
    const uninstall = installTracing(tracing)
    try {
      return tracing.runWithBaggage(baggage, () => [baggageHeaders(), traceHeadersOf(context)])
    } finally {
      uninstall()
    }
  }

  it('have a field for the baggage where there is one', () => {
    const baggage = 'tenant=a'
    expect(headersWith(new Baggage(baggage))).toStrictEqual([{ baggage }, { traceparent, baggage }])
  })

  it('have no such field, not even an undefined one, without baggage', () => {
    expect(headersWith(emptyBaggage)).toStrictEqual([{}, { traceparent }])
    expect([baggageHeaders(), traceHeadersOf(context)]).toStrictEqual([{}, { traceparent }])
  })

  it('have a field for the tracestate that is not empty', () => {
    expect(traceHeadersOf({ ...context, tracestate: '' })).toStrictEqual({ traceparent })
    expect(traceHeadersOf({ ...context, tracestate: 'a=1' })).toStrictEqual({ traceparent, tracestate: 'a=1' })
  })
})
