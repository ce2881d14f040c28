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

describe.each(managers)('with an SDK of the application and %s', (_, createManager) => {
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

  it('starts spans by its tracer, below its active span and above it', async () => {
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

  it('knows the span that a channel has stored as the active one, until another is', () => {
    const tracing = createTracing()
    const outer = tracing.startSpan('outer')
    tracing.run(outer, () => {
      const stored = tracing.startSpan('stored')
      tracing.storage.run(tracing.contextWith(stored), () => {
        expect(tracing.activeSpan()).toBe(stored)
        tracing.startSpan('below').end()
        const further = tracing.startSpan('further')
        tracing.run(further, () => expect(tracing.activeSpan()).toBe(further))
        expect(tracing.activeSpan()).toBe(stored)
      })
      expect(tracing.activeSpan()).toBe(outer)
      stored.end()
    })
    outer.end()
    expect(parentOf('below')).toBe('stored')
  })

  it.each([
    ['is recorded', 1, ['work']],
    ['is not, where the caller is not sampled', 0, []],
  ])('work below a caller in another process %s', (_, traceFlags, names) => {
    const uninstall = installTracing(createTracing())
    const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags, isRemote: true }
    context.with(trace.setSpanContext(ROOT_CONTEXT, caller), () => traced('work', () => {}))
    uninstall()
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(names)
    for (const { parentSpanContext } of exporter.getFinishedSpans())
      expect(parentSpanContext).toMatchObject({ spanId: caller.spanId })
  })

  it('takes the span that an instrumentation has made of a request, and leaves its end to that', () => {
    const tracing = createTracing()
    tracer.startActiveSpan('GET', { kind: SpanKind.SERVER }, (theirs) => {
      const adopted = tracing.startServerSpan(
        undefined,
        {},
        described(() => expect.fail('asked for attributes')),
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

  it('makes a span of a request that comes while another kind of span is active', () => {
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

  it('does not trace what is not to be traced', () => {
    const tracing = createTracing()
    context.with(suppressTracing(context.active()), () => {
      expect(tracing.isSuppressed()).toBe(true)
      expect(tracing.startSpan('quiet').isRecording).toBe(false)
    })
    expect(tracing.isSuppressed()).toBe(false)
  })

  it('keeps the random flag and the tracestate of a caller', () => {
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

describe('an SDK', () => {
  afterEach(() => {
    trace.disable()
    context.disable()
  })

  it('that is registered later is found', () => {
    const tracing = createTracing()
    expect(tracing.startSpan('before').isRecording).toBe(false)
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: new InMemorySpanExporter() })] }),
    )
    expect(tracing.startSpan('after').isRecording).toBe(true)
  })

  it('decides by its own sampler, and its ids are those that are sent', () => {
    trace.setGlobalTracerProvider(new TracerProvider({ sampler: new AlwaysOffSampler() }))
    const span = createTracing().startSpan('work')
    expect(span.isRecording).toBe(false)
    expect(span.context).toMatchObject({ traceId: expect.stringMatching(/^(?!0+$)[\da-f]{32}$/), flags: 0 })
  })

  it('whose sampler throws costs the span, and nothing else', () => {
    const sampler = {
      shouldSample: () => {
        throw new Error('broken')
      },
      toString: () => 'broken',
    }
    trace.setGlobalTracerProvider(new TracerProvider({ sampler }))
    expect(createTracing().startSpan('work').context.traceId).toMatch(/^[\da-f]{32}$/)
  })

  it('of which only a context is known, without a span, has none active', () => {
    context.setGlobalContextManager(createContextManager())
    const tracing = createTracing()
    context.with(ROOT_CONTEXT.setValue(Symbol.for('other'), 1), () => expect(tracing.activeSpan()).toBeUndefined())
  })
})
