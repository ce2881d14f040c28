import { tracingChannel } from 'node:diagnostics_channel'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepContext, traceChannel } from '../../../src/instrumentation/database/channel-spans.ts'
import { createSafely } from '../../../src/instrumentation/safely.ts'
import { createTracing } from '../../../src/tracing/create-tracing.ts'
import { currentTracing, installTracing, whileTracing } from '../../../src/tracing/current-tracing.ts'
import type { Tracing } from '../../../src/tracing/tracing.ts'
import { processTracing } from '../../support/process-tracing.ts'
import { recordSpans } from '../../support/record-spans.ts'

interface Message {
  readonly what: string
}

describe('traceChannel', () => {
  const spans = recordSpans()
  const tracingOn = (): Tracing => {
    const tracing = processTracing()
    if (tracing === undefined) throw new Error('tracing is off')
    return tracing
  }
  const ends: (() => void)[] = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })
  let count = 0
  function listen(begin = (message: Message, tracing: Tracing) => tracing.startSpan(message.what)) {
    count += 1
    const report = vi.fn()
    const name = `test:${count}`
    ends.push(traceChannel<Message>(name, tracingOn(), createSafely('test', report), begin))
    return { channel: tracingChannel<unknown, Message>(name), report, name }
  }

  it('marks the span of a failing operation as failed, and passes the error to the caller', () => {
    const { channel } = listen()
    const fail = () => {
      throw new RangeError('no')
    }
    expect(() => channel.traceSync(fail, { what: 'work' })).toThrow(RangeError)
    expect(spans.tree()).toEqual(['internal work !'])
  })

  it('creates one span, the parent of spans within the operation', async () => {
    const { channel } = listen()
    await channel.tracePromise(
      async () => {
        await null
        await channel.tracePromise(async () => {}, { what: 'inner' })
      },
      { what: 'outer' },
    )
    expect(spans.tree()).toEqual(['internal outer', '  internal inner'])
  })

  it('ends the span before the callback, which runs in the context of its caller', async () => {
    const { channel } = listen()
    await spans.below('work', async (work) => {
      await new Promise<void>((resolve) => {
        const done = () => {
          expect(spans.all().map(({ name }) => name)).toEqual(['query'])
          expect(spans.activeSpan()?.context.spanId).toBe(work.context.spanId)
          resolve()
        }
        channel.traceCallback(
          (callback: () => void) => void tracingOn().storage.run(undefined, () => setImmediate(callback)),
          0,
          { what: 'query' },
          undefined,
          done,
        )
      })
    })
  })

  it('reports once if a span cannot be started, without affecting the operation', async () => {
    const { channel, report } = listen(() => {
      throw new Error('cannot')
    })
    for (let n = 0; n < 3; n++) expect(await channel.tracePromise(async () => n, { what: 'work' })).toBe(n)
    expect(report.mock.calls).toEqual([
      ['instrument: test failed; its calls may be missing from traces and meters', new Error('cannot')],
    ])
  })

  it('creates no span below a non-recording one', async () => {
    const { channel } = listen()
    await spans.unrecorded(() => channel.tracePromise(async () => {}, { what: 'work' }))
    expect(spans.all()).toEqual([])
  })

  it('has no subscriber after it is stopped', () => {
    const { channel } = listen()
    expect(channel.start.hasSubscribers).toBe(true)
    for (const end of ends.splice(0)) end()
    for (const one of ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const) {
      expect(channel[one].hasSubscribers).toBe(false)
    }
  })

  it('keeps the context without a span with keepContext', async () => {
    ends.push(
      keepContext(
        'test:context',
        tracingOn(),
        createSafely('test', () => {}),
      ),
    )
    await spans.below('work', async (work) => {
      await new Promise<void>((resolve) => {
        const done = () => {
          expect(spans.activeSpan()?.context.spanId).toBe(work.context.spanId)
          resolve()
        }
        tracingChannel('test:context').traceCallback(
          (callback: () => void) => void tracingOn().storage.run(undefined, () => setImmediate(callback)),
          0,
          {},
          undefined,
          done,
        )
      })
    })
    expect(spans.tree()).toEqual(['internal work'])
  })

  it('uses the current tracing of the process, started, stopped or replaced at any time', () => {
    const received: string[] = []
    const first = tracingOn()
    const end = whileTracing((tracing) => {
      received.push(tracing === first ? 'first' : 'second')
      return () => received.push('end')
    })
    const uninstall = installTracing(createTracing())
    uninstall()
    expect(currentTracing()).toBe(first)
    end()
    installTracing(createTracing())()
    expect(received).toEqual(['first', 'end', 'second', 'end', 'first', 'end'])
  })
})
