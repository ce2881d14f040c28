import { describe, expect, it } from 'vitest'
import { SpanLog } from '../../src/console/requests/span-log.ts'
import type { EndedSpan } from '../../src/tracing/spans/span-recorder.ts'

let spans = 0

function span(traceId: string, given: Partial<EndedSpan> = {}): EndedSpan {
  spans += 1
  const spanId = `s${spans}`
  return {
    name: 'query',
    kind: 2,
    spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
    parentSpanContext: undefined,
    startTime: [10, 500_000_000],
    endTime: [11, 0],
    duration: [0, 500_000_000],
    status: { code: 0 },
    attributes: {},
    links: [],
    events: [],
    ...given,
  } as never
}

describe('SpanLog', () => {
  it('returns the spans of a trace in the order in which they began', () => {
    const log = new SpanLog(2 ** 20)
    log.add(span('t1', { name: 'query', startTime: [10, 600_000_000], status: { code: 2 } }))
    log.add(span('t2'))
    log.add(span('t1', { name: 'GET /orders', kind: 1, attributes: { 'http.route': '/orders' } }))
    expect(log.read('t1')).toMatchObject([
      { name: 'GET /orders', kind: 'server', at: 10_500, seconds: 0.5, attributes: { 'http.route': '/orders' } },
      { name: 'query', kind: 'client', at: 10_600, status: 'error' },
    ])
    expect(log.read('none')).toEqual([])
  })

  it('drops the traces first that are not kept', () => {
    const log = new SpanLog(64 * 1_024)
    log.add(span('kept'))
    log.add(span('other'))
    log.keep('kept')
    for (let at = 0; at < 1_000; at++) log.add(span(`t${at}`))
    expect(log.read('kept')).toHaveLength(1)
    expect(log.read('other')).toEqual([])
    expect(log.read('t999')).toHaveLength(1)
  })

  it('stays within its budget, also if all traces are kept', () => {
    const log = new SpanLog(64 * 1_024)
    for (let at = 0; at < 1_000; at++) {
      log.add(span(`t${at}`))
      log.keep(`t${at}`)
    }
    expect(log.bytes).toBeLessThanOrEqual(64 * 1_024)
    expect(log.read('t999')).toHaveLength(1)
  })

  it('drops traces in the order in which they came, also those that came when all others had been dropped', () => {
    const log = new SpanLog(4 * 1_024)
    const left = () => Array.from({ length: 12 }, (_, at) => at).filter((at) => log.read(`t${at}`).length > 0)
    for (let at = 0; at < 6; at++) log.add(span(`t${at}`))
    expect(left()).toEqual([1, 2, 3, 4, 5])
    log.keep('t2')
    log.add(span('large', { name: 'x'.repeat(1_000) }))
    expect(left()).toEqual([2])
    for (let at = 6; at < 12; at++) log.add(span(`t${at}`))
    expect(left()).toEqual([2, 8, 9, 10, 11])
    log.clear()
    expect([log.bytes, ...left()]).toEqual([0])
    for (let at = 0; at < 6; at++) log.add(span(`t${at}`))
    expect(left()).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps the first 256 spans of a trace', () => {
    const log = new SpanLog(2 ** 20)
    for (let at = 0; at < 1_000; at++) log.add(span('long'))
    expect(log.read('long')).toHaveLength(256)
  })

  it('keeps the span of the server, which ends last, of a trace of 1,000 spans', () => {
    const log = new SpanLog(2 ** 20)
    for (let at = 0; at < 999; at++) log.add(span('deep'))
    log.add(span('deep', { kind: 1, name: 'GET /orders', startTime: [10, 0] }))
    const spans = log.read('deep')
    expect(spans).toHaveLength(256)
    expect(spans[0]).toMatchObject({ kind: 'server', name: 'GET /orders' })
  })

  it.each([
    ['attributes', { attributes: { 'db.query.text': 'x'.repeat(10_000) } }],
    [
      'events',
      { events: [{ name: 'exception', attributes: { 'exception.stacktrace': 'x'.repeat(10_000) } }] as never },
    ],
  ])('counts the text of %s in its budget', (_, given) => {
    const log = new SpanLog(64 * 1_024)
    for (let at = 0; at < 10; at++) log.add(span(`t${at}`, given))
    expect(log.bytes).toBeLessThanOrEqual(64 * 1_024)
    expect(log.bytes).toBeGreaterThan(3 * 20_000)
    expect([log.read('t6').length, log.read('t7').length]).toEqual([0, 1])
  })

  it('does not keep a span of more than 64 KiB', () => {
    const log = new SpanLog(2 ** 20)
    log.add(span('other'))
    log.add(span('huge', { attributes: { 'db.query.text': 'x'.repeat(2 ** 20) } }))
    expect([log.read('huge'), log.read('other').length]).toEqual([[], 1])
  })
})
