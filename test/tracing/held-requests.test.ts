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
})

function itemOf(bytes: number, reasons: KeptReason[]): HeldItem {
  return { signal: 'logs', bytes, keep: (reason) => void reasons.push(reason) }
}
