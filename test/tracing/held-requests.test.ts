import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createNativeTracing } from '../../src/tracing/create-tracing.ts'
import type { HeldItem, KeptReason } from '../../src/tracing/held/held-request.ts'
import { HeldRequests } from '../../src/tracing/held/held-requests.ts'
import { HeldSpan } from '../../src/tracing/held/held-span.ts'
import { keepingRule } from '../../src/tracing/held/keeping-rule.ts'
import { NativeSpan } from '../../src/tracing/spans/native-span.ts'
import { NonRecordingSpan } from '../../src/tracing/spans/non-recording-span.ts'

const createHeld = () => {
  const meters = { dropped: vi.fn(), exported: vi.fn(), close: vi.fn() }
  const createMeters = vi.fn(() => meters)
  return { meters, createMeters, held: new HeldRequests(createMeters) }
}

const server = { isExcluded: () => false, name: () => 'GET', attributes: () => ({ compute: () => ({}) }) }

describe('without a rule', () => {
  it('counts and closes nothing, since there are no meters', () => {
    const { held, createMeters } = createHeld()
    const kept = vi.fn()
    const request = held.begin()
    request.add({ signal: 'logs', bytes: 64 * 1024 + 1, keep: kept })
    request.end('failed', 0)
    held.close()
    expect(kept).not.toHaveBeenCalled()
    expect(createMeters).not.toHaveBeenCalled()
  })

  it.each([
    [1, NativeSpan],
    [0, NonRecordingSpan],
  ])('spans with probability %d are those of a tracing that holds nothing', (probability, kind) => {
    const { held, createMeters } = createHeld()
    const begin = vi.spyOn(held, 'begin')
    const onEnd = vi.fn()
    const recorder = { processor: { onEnd }, resource: {} }
    const tracing = createNativeTracing({ held, probability, recorder })
    const request = tracing.startServerSpan(undefined, {}, server)
    const child = tracing.run(request, () => tracing.startSpan('child'))
    for (const span of [request, child]) {
      expect(Object.getPrototypeOf(span)).toBe(kind.prototype)
      expect(span).not.toHaveProperty('heldRequest')
      span.end()
    }
    expect(onEnd).toHaveBeenCalledTimes(probability * 2)
    expect(begin).not.toHaveBeenCalled()
    expect(createMeters).not.toHaveBeenCalled()
  })
})

describe('the rule of an option', () => {
  it.each([
    [false, undefined],
    [true, { slowerThan: '1s', slowMilliseconds: 1_000 }],
    [{}, { slowerThan: '1s', slowMilliseconds: 1_000 }],
    [{ slowerThan: '2.5s' }, { slowerThan: '2.5s', slowMilliseconds: 2_500 }],
  ] as const)('%j is %j', (option, rule) => {
    expect(keepingRule(option)).toEqual(rule)
  })
})

describe('with a rule', () => {
  it('spans of a request that has been dropped are not recorded, and those outside of one neither', () => {
    const { held } = createHeld()
    held.rule = keepingRule(true)
    const recorder = { processor: { onEnd: () => {} }, resource: {} }
    const tracing = createNativeTracing({ held, probability: 0, recorder })
    const request = tracing.startServerSpan(undefined, {}, server)
    expect(request).toBeInstanceOf(HeldSpan)
    expect(tracing.run(request, () => tracing.startSpan('child'))).toBeInstanceOf(HeldSpan)
    if (request instanceof HeldSpan) request.heldRequest.end(undefined, 0)
    expect(tracing.run(request, () => tracing.startSpan('late'))).toBeInstanceOf(NonRecordingSpan)
    expect(tracing.startSpan('timer')).toBeInstanceOf(NonRecordingSpan)
  })

  it('drops what is held when it is closed', () => {
    const { held, meters } = createHeld()
    held.rule = keepingRule(true)
    const requests = [held.begin(), held.begin()]
    const kept = vi.fn()
    for (const request of requests) request.add({ signal: 'logs', bytes: 100, keep: kept })
    expect(held.bytes).toBe(200)
    held.close()
    expect(held.bytes).toBe(0)
    for (const request of requests) request.end('failed', 0)
    expect(kept).not.toHaveBeenCalled()
    expect(meters.close).toHaveBeenCalled()
  })
})

describe('a request', () => {
  const setUpRequest = () => {
    const { held, meters } = createHeld()
    held.rule = keepingRule({ slowerThan: '2s' })
    const reasons: KeptReason[] = []
    const request = held.begin()
    return { held, meters, request, reasons, add: (bytes: number) => request.add(itemOf(bytes, reasons)) }
  }

  it.each([
    ['failed', 0, 'failed'],
    ['aborted', 5_000, 'aborted'],
    [undefined, 2_000, 'slow'],
    [undefined, 1_999, undefined],
  ] as const)('that ends %s after %d ms is kept as %s', (failure, milliseconds, reason) => {
    const { meters, request, reasons, add } = setUpRequest()
    add(10)
    request.end(failure, milliseconds)
    request.end('failed', 0)
    add(10)
    expect(reasons).toEqual(reason === undefined ? [] : [reason, reason])
    expect(meters.exported.mock.calls).toEqual(reasons.map((each) => ['logs', each]))
    expect(meters.dropped).not.toHaveBeenCalled()
    expect(request.accepts).toBe(reason !== undefined)
  })

  it('drops an item that is larger than its limit, and those that do not fit beside newer ones', () => {
    const { held, meters, request, reasons, add } = setUpRequest()
    add(64 * 1024 + 1)
    expect(meters.dropped.mock.calls).toEqual([['logs', 'request']])
    expect([held.bytes, request.bytes]).toEqual([0, 0])
    for (let n = 0; n < 3; n++) add(24 * 1024)
    expect(meters.dropped).toHaveBeenCalledTimes(2)
    expect([held.bytes, request.bytes]).toEqual([48 * 1024, 48 * 1024])
    request.end('failed', 0)
    expect(reasons).toHaveLength(2)
  })

  it('exports as much after its end as it may hold before, and nothing further', () => {
    const { meters, request, reasons, add } = setUpRequest()
    request.end('failed', 0)
    add(64 * 1024 - 1)
    add(1)
    expect(reasons).toHaveLength(2)
    expect(meters.dropped).not.toHaveBeenCalled()
    for (let n = 0; n < 3; n++) add(1)
    expect(reasons).toHaveLength(2)
    expect(meters.dropped.mock.calls).toEqual([['logs', 'request']])
    expect(request.accepts).toBe(false)
  })

  it('that is discarded takes nothing, and counts nothing', () => {
    const { held, meters, request, reasons, add } = setUpRequest()
    add(10)
    request.discard()
    add(10)
    request.end('failed', 0)
    expect([held.bytes, reasons.length]).toEqual([0, 0])
    expect(meters.dropped).not.toHaveBeenCalled()
    expect(meters.exported).not.toHaveBeenCalled()
  })
})

/** One step of a random history of requests. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const) }),
  fc.record({ kind: fc.constant('add' as const), at: fc.nat(30), bytes: fc.integer({ min: 1, max: 70_000 }) }),
  fc.record({ kind: fc.constant('end' as const), at: fc.nat(30), fails: fc.boolean() }),
  fc.record({ kind: fc.constant('discard' as const), at: fc.nat(30) }),
)

describe('the budget', () => {
  it('is kept, and every item is exported, dropped and counted, or released, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { held, meters } = createHeld()
        held.rule = keepingRule(true)
        const requests = [held.begin()]
        const reasons: KeptReason[] = []
        for (const each of steps) {
          const request = requests['at' in each ? each.at % requests.length : 0]
          if (each.kind === 'begin') requests.push(held.begin())
          else if (each.kind === 'add') request?.add(itemOf(each.bytes, reasons))
          else if (each.kind === 'end') request?.end(each.fails ? 'failed' : undefined, 0)
          else request?.discard()
          const sum = requests.reduce((total, { bytes }) => total + bytes, 0)
          expect(held.bytes).toBe(sum)
          for (const { bytes } of requests) expect(bytes).toBeLessThanOrEqual(64 * 1024)
        }
        for (const request of requests) request.discard()
        expect(held.bytes).toBe(0)
        expect(meters.exported).toHaveBeenCalledTimes(reasons.length)
      }),
    )
  })

  it('drops the requests whose items are oldest first', () => {
    const { held, meters } = createHeld()
    held.rule = keepingRule(true)
    const requests = Array.from({ length: 300 }, () => held.begin())
    const kept: number[] = []
    for (const [at, request] of requests.entries()) {
      request.add({ signal: 'traces', bytes: 64 * 1024, keep: () => kept.push(at) })
    }
    expect(held.bytes).toBe(16 * 1024 * 1024)
    expect(meters.dropped.mock.calls).toEqual(Array.from({ length: 44 }, () => ['traces', 'process']))
    for (const request of requests) request.end('aborted', 0)
    expect(kept).toEqual(Array.from({ length: 256 }, (_, at) => 44 + at))
    expect(held.bytes).toBe(0)
  })

  it('keeps the order in which requests got their first item', () => {
    const { held } = createHeld()
    held.rule = keepingRule(true)
    const kept: number[] = []
    const requests = Array.from({ length: 300 }, () => held.begin())
    const addToAll = (some: typeof requests) => {
      for (const request of some) {
        const at = requests.indexOf(request)
        request.add({ signal: 'traces', bytes: 32 * 1024, keep: () => kept.push(at) })
      }
    }
    addToAll(requests.slice(0, 200))
    addToAll(requests.slice(0, 200))
    requests[1]?.end(undefined, 0)
    addToAll(requests.slice(200))
    addToAll(requests.slice(200))
    for (const request of requests) request.end('failed', 0)
    // The first 44 without the one that had ended: 299 requests of 64 KiB, of which 256 fit.
    expect(kept).toEqual(requests.flatMap((_, at) => (at < 44 ? [] : [at, at])))
    expect(held.bytes).toBe(0)
  })
})

function itemOf(bytes: number, reasons: KeptReason[]): HeldItem {
  return { signal: 'logs', bytes, keep: (reason) => void reasons.push(reason) }
}
