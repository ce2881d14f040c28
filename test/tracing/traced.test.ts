import { defaultResource } from '@opentelemetry/resources'
import { currentTrace, traced, traceHeaders, withTrace } from 'upkeep'
import { formatTraceparent, parseTraceparent } from 'upkeep/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createNativeTracing, createTracing } from '../../src/tracing/create-tracing.ts'
import { currentTracing, installTracing } from '../../src/tracing/current-tracing.ts'
import { collectEndedSpans } from '../support/ended-spans.ts'

const { ended, processor } = collectEndedSpans()
const recording = createNativeTracing({ recorder: { processor, resource: defaultResource() } })
let uninstall: () => void

const parent = { traceId: 'a1'.repeat(16), spanId: 'b2'.repeat(8), flags: 3 }
const traceparent = formatTraceparent(parent)

describe('while tracing is off', () => {
  it('runs the function without a span', () => {
    expect(traced('work', (span) => [span, currentTrace(), traceHeaders()])).toEqual([undefined, undefined, {}])
    expect(withTrace({ traceparent }, 'work', (span) => [span, currentTrace()])).toEqual([undefined, undefined])
  })
})

describe('with native tracing', () => {
  beforeEach(() => {
    ended.length = 0
    uninstall = installTracing(recording)
  })
  afterEach(() => uninstall())

  it.each([
    ['a function that returns', () => 1, 1],
    ['a function whose promise resolves', async () => 1, 1],
  ])('%s has a span, which ends with it', async (_, work, result) => {
    expect(await traced<unknown>('work', work, { kind: 'client', attributes: { a: 1 } })).toBe(result)
    expect(ended).toMatchObject([{ name: 'work', kind: 2, attributes: { a: 1 }, status: { code: 0 } }])
  })

  it.each([
    [
      'throws',
      () => {
        throw new RangeError('no')
      },
    ],
    ['rejects', () => Promise.reject(new RangeError('no'))],
  ])('records the error of a function that %s, and passes it to the caller', async (_, work) => {
    await expect((async () => traced<unknown>('work', work))()).rejects.toThrow(new RangeError('no'))
    expect(ended).toMatchObject([
      {
        attributes: { 'error.type': 'RangeError' },
        status: { code: 2, message: 'no' },
        events: [{ name: 'exception' }],
      },
    ])
  })

  it('runs the steps of a generator in its span, and not what its caller does between them', async () => {
    const numbers = traced('numbers', function* () {
      for (let n = 0; n < 2; n++) {
        traced('inside', () => {})
        yield n
      }
      return 'end'
    })
    expect(ended).toEqual([])
    expect(numbers.next()).toEqual({ done: false, value: 0 })
    expect(currentTrace()).toBeUndefined()
    expect([...numbers]).toEqual([1])
    const [first, second, outer] = ended
    expect(ended.map(({ name }) => name)).toEqual(['inside', 'inside', 'numbers'])
    expect([first?.parentSpanId, second?.parentSpanId]).toEqual([outer?.spanId, outer?.spanId])
  })

  it('does so for an asynchronous generator, and ends the span when the caller leaves it', async () => {
    const numbers = traced('numbers', async function* () {
      for (let n = 0; ; n++) {
        await null
        traced('inside', () => {})
        yield n
      }
    })
    for await (const n of numbers) if (n === 1) break
    expect(ended.map(({ name }) => name)).toEqual(['inside', 'inside', 'numbers'])
    expect(ended[0]?.parentSpanId).toBe(ended[2]?.spanId)
  })

  it('uses the active span as parent', () => {
    traced('outer', (outer) => {
      expect(currentTrace()).toBe(outer?.context)
      traced('inner', () => {})
    })
    expect(ended[0]?.parentSpanId).toBe(ended[1]?.spanId)
  })

  const bytes = Buffer.from(traceparent)
  it.each<readonly [string, Parameters<typeof withTrace>[0]]>([
    ['an object', { traceparent, tracestate: 'foo=1' }],
    ['an object with bytes, as of Kafka', { traceparent: bytes, tracestate: new Uint8Array(Buffer.from('foo=1')) }],
    ['an object with arrays', { traceparent: [traceparent], tracestate: ['foo=1', ''] }],
    [
      'a Map',
      new Map([
        ['traceparent', traceparent],
        ['tracestate', 'foo=1'],
      ]),
    ],
    ['Headers', new Headers({ traceparent, tracestate: 'foo=1' })],
  ])('continues the trace in %s', async (_, carrier) => {
    const sent = await withTrace(carrier, 'receive', async () => {
      await null
      return traceHeaders()
    })
    expect(ended).toMatchObject([{ name: 'receive', kind: 4, traceId: parent.traceId, parentSpanId: parent.spanId }])
    expect(sent).toEqual({ traceparent: `00-${parent.traceId}-${ended[0]?.spanId}-03`, tracestate: 'foo=1' })
  })

  it.each<readonly [string, Parameters<typeof withTrace>[0]]>([
    ['undefined', undefined],
    ['null', null],
    ['an empty object', {}],
    ['two traceparent values', { traceparent: [traceparent, traceparent] }],
    ['a malformed traceparent', { traceparent: 17 }],
    [
      'a carrier that throws when it is read',
      {
        get traceparent(): string {
          throw new Error('gone')
        },
      },
    ],
  ])('starts a new trace, even inside another one, for %s', (_, carrier) => {
    traced('subscribe', () => withTrace(carrier, 'receive', () => {}, { kind: 'internal' }))
    const [receive, subscribe] = ended
    expect(receive).toMatchObject({ kind: 0, parentSpanId: undefined })
    expect(receive?.traceId).not.toBe(subscribe?.traceId)
  })
})

describe('with ids only', () => {
  it('gives each function an id of its own in one trace, and restores that of its caller', async () => {
    uninstall = installTracing(createTracing())
    const idOf = () => parseTraceparent(traceHeaders().traceparent)
    await traced('outer', async () => {
      const outer = idOf()
      expect(outer).toMatchObject({ flags: 3 })
      const inner = await traced('inner', async () => {
        await null
        return idOf()
      })
      expect(inner).toMatchObject({ traceId: outer?.traceId, flags: 3 })
      expect(inner?.spanId).not.toBe(outer?.spanId)
      expect(idOf()).toEqual(outer)
    })
    uninstall()
  })

  it('keeps the ids of the caller in a trace that is not sampled', () => {
    uninstall = installTracing(createTracing({ probability: 0 }))
    traced('outer', (outer) => traced('inner', (inner) => expect(inner).toBe(outer)))
    uninstall()
  })

  it('samples new traces with the configured probability, and others as their caller does', () => {
    uninstall = installTracing(createTracing({ probability: 0 }))
    traced('work', () => expect(currentTrace()).toMatchObject({ flags: 2 }))
    withTrace({ traceparent }, 'called', () => expect(currentTrace()).toMatchObject({ flags: 3 }))
    uninstall()
  })
})

describe('the tracing of the process', () => {
  it('is the one that was installed last, and a fallback only while there is no other', () => {
    const [one, fallback, other] = [createTracing(), createTracing(), createTracing()]
    const ends = [installTracing(one), installTracing(fallback, { asFallback: true }), installTracing(other)] as const
    expect(currentTracing()).toBe(other)
    ends[2]()
    expect(currentTracing()).toBe(one)
    ends[0]()
    ends[2]()
    expect(currentTracing()).toBe(fallback)
    ends[1]()
    expect(currentTracing()).toBeUndefined()
  })
})
