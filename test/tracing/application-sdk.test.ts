import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { suppressTracing } from '@opentelemetry/core'
import { AlwaysOffSampler, InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { type Attributes, traced } from 'upkeep'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createContextManager } from '../../src/tracing/context/context-manager.ts'
import { createTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'

const managers = [
  ["the application's context manager", () => new AsyncLocalStorageContextManager().enable()],
  ["upkeep's context manager", createContextManager],
] as const

const described = (compute: () => Attributes) => ({
  isExcluded: () => false,
  name: () => 'GET',
  attributes: () => ({ compute }),
})

describe.each(managers)("tracing with the application's SDK and %s", (_, createManager) => {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const shutdown = vi.spyOn(provider, 'shutdown')
  const tracer = provider.getTracer('application')
  const parentOf = (name: string) => {
    const spans = exporter.getFinishedSpans()
    const parent = spans.find((span) => span.name === name)?.parentSpanContext?.spanId
    return spans.find((span) => span.spanContext().spanId === parent)?.name
  }

  beforeEach(() => {
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(createManager())
  })
  afterEach(() => {
    exporter.reset()
    trace.disable()
    context.disable()
    propagation.disable()
    expect(shutdown).not.toHaveBeenCalled()
  })

  it('starts spans with its tracer, as children and as parents of its spans', async () => {
    const tracing = createTracing()
    await tracer.startActiveSpan('outer', async (outer) => {
      await null
      expect(tracing.activeSpan()?.context).toMatchObject({ spanId: outer.spanContext().spanId, flags: 1 })
      const middle = tracing.startSpan('middle', { kind: 'client' })
      await tracing.run(middle, async () => {
        await null
        expect(trace.getActiveSpan()?.spanContext().spanId).toBe(middle.context.spanId)
        expect(tracing.activeSpan()).toBe(middle)
        tracer.startSpan('inner').end()
        tracer.startActiveSpan('other', (other) => {
          expect(tracing.activeSpan()?.context.spanId).toBe(other.spanContext().spanId)
          tracing.startSpan('innermost').end()
          other.end()
        })
      })
      expect(tracing.activeSpan()?.context.spanId).toBe(outer.spanContext().spanId)
      middle.end()
      outer.end()
    })
    expect(['middle', 'inner', 'other', 'innermost'].map(parentOf)).toEqual(['outer', 'middle', 'middle', 'other'])
  })

  it('treats the span of a context in the storage as active, until another one is', () => {
    const tracing = createTracing()
    const outer = tracing.startSpan('outer')
    tracing.run(outer, () => {
      const entered = tracing.startSpan('entered')
      tracing.storage.run(tracing.contextWith(entered), () => {
        expect(tracing.activeSpan()).toBe(entered)
        tracing.startSpan('below').end()
        const further = tracing.startSpan('further')
        tracing.run(further, () => expect(tracing.activeSpan()).toBe(further))
        expect(tracing.activeSpan()).toBe(entered)
      })
      expect(tracing.activeSpan()).toBe(outer)
      entered.end()
    })
    outer.end()
    expect(parentOf('below')).toBe('entered')
  })

  it.each([
    ['is recorded if the caller is sampled', 1, ['work']],
    ['is not recorded if the caller is not sampled', 0, []],
  ])('a child of a caller in another process %s', (_, traceFlags, names) => {
    const uninstall = installTracing(createTracing())
    const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags, isRemote: true }
    context.with(trace.setSpanContext(ROOT_CONTEXT, caller), () => traced('work', () => {}))
    uninstall()
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(names)
    for (const { parentSpanContext } of exporter.getFinishedSpans())
      expect(parentSpanContext).toMatchObject({ spanId: caller.spanId })
  })

  it('adopts the server span that an instrumentation has started, and does not end it', () => {
    const tracing = createTracing()
    tracer.startActiveSpan('GET', { kind: SpanKind.SERVER }, (theirs) => {
      const adopted = tracing.startServerSpan(
        undefined,
        {},
        described(() => expect.fail('the attributes were computed')),
      )
      expect(adopted.context.spanId).toBe(theirs.spanContext().spanId)
      adopted.setAttributes({ 'http.route': '/a' })
      adopted.rename('GET /a')
      adopted.end()
      expect(exporter.getFinishedSpans()).toEqual([])
      theirs.end()
      adopted.rename('too late')
    })
    expect(exporter.getFinishedSpans()).toMatchObject([{ name: 'GET /a', attributes: { 'http.route': '/a' } }])
  })

  it('starts a server span if the active span is of another kind', () => {
    const tracing = createTracing()
    tracer.startActiveSpan('start', (start) => {
      const span = tracing.startServerSpan(
        undefined,
        {},
        described(() => ({ 'url.path': '/' })),
      )
      span.end()
      start.end()
    })
    expect(exporter.getFinishedSpans()[0]).toMatchObject({
      name: 'GET',
      kind: SpanKind.SERVER,
      attributes: { 'url.path': '/' },
    })
    expect(exporter.getFinishedSpans()[0]?.parentSpanContext).toBeUndefined()
  })

  it('does not record while tracing is suppressed', () => {
    const tracing = createTracing()
    context.with(suppressTracing(context.active()), () => {
      expect(tracing.isSuppressed()).toBe(true)
      expect(tracing.startSpan('quiet').isRecording).toBe(false)
    })
    expect(tracing.isSuppressed()).toBe(false)
  })

  it('propagates the random flag and the tracestate of a caller', () => {
    const tracing = createTracing()
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 3, tracestate: 'foo=1' }
    expect(
      tracing.startServerSpan(
        parent,
        {},
        described(() => ({})),
      ).context,
    ).toMatchObject({
      traceId: parent.traceId,
      flags: 3,
      tracestate: 'foo=1',
    })
  })
})

describe('an SDK of the application', () => {
  afterEach(() => {
    trace.disable()
    context.disable()
  })

  it('is detected when it is registered later', () => {
    const tracing = createTracing()
    expect(tracing.startSpan('before').isRecording).toBe(false)
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: new InMemorySpanExporter() })] }),
    )
    expect(tracing.startSpan('after').isRecording).toBe(true)
  })

  it('samples with its own sampler, and its ids are propagated', () => {
    trace.setGlobalTracerProvider(new TracerProvider({ sampler: new AlwaysOffSampler() }))
    const span = createTracing().startSpan('work')
    expect(span.isRecording).toBe(false)
    expect(span.context).toMatchObject({ traceId: expect.stringMatching(/^(?!0+$)[\da-f]{32}$/), flags: 0 })
  })

  it('does not fail the service when its sampler throws', () => {
    const sampler = {
      shouldSample: () => {
        throw new Error('broken')
      },
      toString: () => 'broken',
    }
    trace.setGlobalTracerProvider(new TracerProvider({ sampler }))
    expect(createTracing().startSpan('work').context.traceId).toMatch(/^[\da-f]{32}$/)
  })

  it('gets the attributes and the links that a span is started with', () => {
    const exporter = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
    const tracing = createTracing()
    const link = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), flags: 1 }
    tracing.startSpan('linked', { attributes: { rows: 1 }, links: [link] }).end()
    tracing.startSpan('plain').end()
    const [linked, plain] = exporter.getFinishedSpans()
    expect(linked?.attributes).toEqual({ rows: 1 })
    expect(linked?.links.map(({ context }) => context)).toEqual([
      { traceId: link.traceId, spanId: link.spanId, traceFlags: 1, isRemote: true },
    ])
    expect([plain?.attributes, plain?.links]).toEqual([{}, []])
  })

  it('does not record requests while tracing is suppressed, and their spans are not marked as sampled', () => {
    context.setGlobalContextManager(createContextManager())
    const exporter = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
    const tracing = createTracing()
    const span = context.with(suppressTracing(context.active()), () =>
      tracing.startServerSpan(
        undefined,
        {},
        described(() => ({ a: 1 })),
      ),
    )
    expect([span.isRecording, span.context.flags & 1]).toEqual([false, 0])
    tracing.run(span, () => expect(tracing.startSpan('below').isRecording).toBe(false))
    expect(exporter.getFinishedSpans()).toEqual([])
  })

  it('that has been shut down records nothing, and traces go on', async () => {
    const provider = new TracerProvider({})
    trace.setGlobalTracerProvider(provider)
    const tracing = createTracing()
    await provider.shutdown()
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1 }
    const span = tracing.startServerSpan(
      parent,
      {},
      described(() => ({})),
    )
    expect(span.context.traceId).toBe(parent.traceId)
    expect(span.context.spanId).toMatch(/^(?!0+$)[\da-f]{16}$/)
  })

  it('may give a trace an id that begins with zeros', () => {
    const traceId = `00${'a'.repeat(30)}`
    const idGenerator = { generateTraceId: () => traceId, generateSpanId: () => 'b'.repeat(16) }
    trace.setGlobalTracerProvider(new TracerProvider({ sampler: new AlwaysOffSampler(), idGenerator }))
    expect(createTracing().startSpan('work').context.traceId).toBe(traceId)
  })

  it('has no active span in a context without a span', () => {
    context.setGlobalContextManager(createContextManager())
    const tracing = createTracing()
    context.with(ROOT_CONTEXT.setValue(Symbol.for('other'), 1), () => expect(tracing.activeSpan()).toBeUndefined())
  })
})
