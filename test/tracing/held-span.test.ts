import { describe, expect, it } from 'vitest'
import { createNativeTracing } from '../../src/tracing/create-tracing.ts'
import { HeldRequests } from '../../src/tracing/held/held-requests.ts'
import { HeldSpan } from '../../src/tracing/held/held-span.ts'
import { keepingRule } from '../../src/tracing/held/keeping-rule.ts'
import { bytesOfSpan } from '../../src/tracing/held/span-bytes.ts'
import type { EndedSpan } from '../../src/tracing/spans/span-recorder.ts'

const described = {
  isExcluded: () => false,
  name: () => 'GET',
  attributes: () => ({ compute: () => ({ route: '/a' }) }),
}

/** Returns a tracing that holds requests, what it exports, and a function that starts a request. */
function setUp(probability: number) {
  const held = new HeldRequests(() => ({ dropped() {}, exported() {}, close() {} }))
  held.rule = keepingRule(true)
  const exported: EndedSpan[] = []
  const recorder = { processor: { onEnd: (span: EndedSpan) => void exported.push(span) }, resource: {} }
  const tracing = createNativeTracing({ held, probability, recorder })
  const start = () => {
    const span = tracing.startServerSpan(undefined, {}, described)
    if (!(span instanceof HeldSpan)) throw new TypeError('expected a held span')
    return span
  }
  return { held, exported, tracing, start }
}

const attributesOf = (span: EndedSpan | undefined) => {
  const passed: [string, unknown][] = []
  span?.forEachAttribute?.((key, value) => passed.push([key, value]))
  return passed
}

describe('a span of a request that is not sampled', () => {
  it('is held when it has ended, and is not propagated as sampled', () => {
    const { held, exported, start } = setUp(0)
    const request = start()
    expect(request.signal).toBe('traces')
    expect(request.isSampled).toBe(false)
    expect(request.context.flags & 1).toBe(0)
    expect(request.context).toBe(request.context)
    expect(request.context).toEqual({
      traceId: expect.stringMatching(/^[\da-f]{32}$/),
      spanId: expect.stringMatching(/^[\da-f]{16}$/),
      flags: 2,
    })
    expect(held.bytes).toBe(0)
    request.end()
    expect(held.bytes).toBe(bytesOfSpan(request))
    expect(request.bytes).toBe(held.bytes)
    expect(request.traceFlags & 1).toBe(0)
    expect(request.attributes).toEqual({ route: '/a' })
    expect(attributesOf(request)).toEqual([['route', '/a']])
    expect(exported).toEqual([])
  })

  it('is exported as sampled and with the reason if its request is kept', () => {
    const { exported, start, tracing } = setUp(0)
    const request = start()
    const child = tracing.run(request, () => tracing.startSpan('query', { attributes: { rows: 3 } }))
    child.end()
    request.heldRequest.end('failed', 0)
    request.end()
    expect(exported.map(({ name }) => name)).toEqual(['query', 'GET'])
    const [query] = exported
    expect(query?.attributes).toEqual({ 'upkeep.kept': 'failed', rows: 3 })
    expect(attributesOf(query)).toEqual([
      ['upkeep.kept', 'failed'],
      ['rows', 3],
    ])
    for (const span of exported) expect(span.spanContext().traceFlags & 1).toBe(1)
  })

  it('is forgotten if its request is not kept, also one that ends later', () => {
    const { held, exported, start, tracing } = setUp(0)
    const request = start()
    const child = tracing.run(request, () => tracing.startSpan('query')) as HeldSpan
    request.heldRequest.end(undefined, 0)
    child.end()
    request.end()
    expect(exported).toEqual([])
    expect([held.bytes, child.bytes]).toEqual([0, 0])
  })
})

describe('a span of a request that is sampled', () => {
  it('is exported when it ends, whatever becomes of its request', () => {
    const { held, exported, start, tracing } = setUp(1)
    const request = start()
    const child = tracing.run(request, () => tracing.startSpan('query')) as HeldSpan
    expect(child).toBeInstanceOf(HeldSpan)
    expect(child.isSampled).toBe(true)
    expect(child.context.flags & 1).toBe(1)
    child.end()
    expect(exported).toEqual([child])
    expect(child.traceFlags & 1).toBe(1)
    expect([held.bytes, child.bytes]).toEqual([0, 0])
    request.heldRequest.end('failed', 0)
    expect(attributesOf(child)).toEqual([])
    expect(exported).toHaveLength(1)
  })
})

describe('the estimated memory of a span', () => {
  const span = { name: '', attributes: {}, events: [], links: [], status: { code: 0 } } as unknown as EndedSpan
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
  const event = { time: [0, 0] as [number, number], droppedAttributesCount: 0 }

  it.each<[string, Partial<EndedSpan>, number]>([
    ['nothing', {}, 0],
    ['a name', { name: 'query' }, 5],
    ['a name of two bytes for each character', { name: 'größe' }, 10],
    ['a message', { status: { code: 2, message: 'failed' } }, 6],
    ['a number', { attributes: { rows: 1 } }, 48 + 4 + 16],
    ['two attributes', { attributes: { rows: 1, table: 'orders' } }, 48 + 4 + 16 + 48 + 5 + 6],
    ['an array of text', { attributes: { ids: ['ab', 'c'] } }, 48 + 3 + 32 + (8 + 2) + (8 + 1)],
    ['an array with a gap', { attributes: { ids: [true, null] } }, 48 + 3 + 32 + (8 + 16) * 2],
    ['an event', { events: [{ ...event, name: 'retry', attributes: { n: 2 } }] }, 192 + 5 + (48 + 1 + 16)],
    ['a link', { links: [{ context }] }, 320],
    ['links', { links: [{ context, attributes: { n: 2 } }, { context }] }, 320 + (48 + 1 + 16) + 320],
  ])('counts %s', (_, parts, bytes) => {
    expect(bytesOfSpan({ ...span, ...parts })).toBe(640 + bytes)
  })
})
