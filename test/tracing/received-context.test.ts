import { describe, expect, it } from 'vitest'
import { baggageIn, isFieldName, traceContextOf } from '../../src/tracing/context/received-context.ts'

const traceId = 'a'.repeat(32)
const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`

describe('the name of a header field', () => {
  it.each([
    ['traceparent', true],
    ['Traceparent', true],
    ['TRACEPARENT', true],
    ['traceparenx', false],
    ['transmitted', false],
    ['xraceparent', false],
    ['traceparents', false],
    ['trace', false],
    ['', false],
  ])('%s is "traceparent": %s', (name, isEqual) => {
    expect(isFieldName(name, 'traceparent')).toBe(isEqual)
  })
})

describe('the headers of a request', () => {
  it('have a trace context in fields of any case', () => {
    const context = traceContextOf(['Host', 'a', 'TraceParent', traceparent, 'TRACESTATE', 'a=1', 'tracestate', 'b=2'])
    expect(context).toMatchObject({ traceId, flags: 1, tracestate: 'a=1,b=2' })
  })

  it('have none without the field, or with more than one', () => {
    expect(traceContextOf(['tracestate', 'a=1', 'transmitted', traceparent])).toBeUndefined()
    expect(traceContextOf(['traceparent', traceparent, 'traceparent', traceparent])).toBeUndefined()
  })

  it('are read without those of other names that are as long and begin alike', () => {
    const others = ['transmitted', 'x', 'transcript', 'y', 'barrier', 'z=1']
    expect(traceContextOf([...others, 'traceparent', traceparent])).toMatchObject({ traceId, tracestate: undefined })
    expect(baggageIn(others)).toBeUndefined()
  })

  it('have a baggage in one list', () => {
    expect(baggageIn(['Baggage', 'a=1', 'host', 'x', 'baggage', 'b=2'])?.field).toBe('a=1,b=2')
  })
})
