import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { createManagement, currentTrace, traced } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { registerMeterProvider, registerTracerProvider } from 'upkeep/opentelemetry'
import { startTelemetry } from 'upkeep/otlp'
import { afterEach, describe, expect, it } from 'vitest'
import { startReceiver } from '../support/otlp/receiver.ts'
import { processTracing } from '../support/process-tracing.ts'

const { metrics, trace, context, propagation } = api

afterEach(() => {
  for (const part of [metrics, trace, context, propagation]) part.disable()
})

function setUp() {
  const reports: string[] = []
  const meters = createMeterRegistry({ diagnose: () => {} })
  return { reports, meters, management: { meters, report: (message: string) => void reports.push(message) } }
}

describe('registerMeterProvider', () => {
  it('registers until it is undone, and again afterwards', async () => {
    const { management, meters, reports } = setUp()
    const undo = registerMeterProvider(management)
    const meter = metrics.getMeter('lib')
    meter.createCounter('calls').add(1)
    meter.createObservableGauge('queue').addCallback((result) => result.observe(2))
    await meters.refresh?.()
    expect(meters.names()).toEqual(['calls', 'queue'])
    undo()
    undo()
    await meters.refresh?.()
    expect(meters.names()).toEqual(['calls'])
    metrics.getMeter('lib').createCounter('later').add(1)
    expect(meters.names()).toEqual(['calls'])
    const undoSecond = registerMeterProvider(management)
    metrics.getMeter('lib').createCounter('calls').add(1)
    undoSecond()
    expect([...meters.snapshot('calls')]).toMatchObject([{ value: 2 }])
    expect(reports).toEqual([])
  })

  it('reports a provider that was registered first, and leaves it', () => {
    const { management, reports } = setUp()
    const provider = new MeterProvider()
    metrics.setGlobalMeterProvider(provider)
    registerMeterProvider(management)()
    expect(metrics.getMeterProvider()).toBe(provider)
    expect(reports).toEqual([
      'registerMeterProvider: nothing is registered, because a meter provider (MeterProvider) is registered already; ' +
        'call registerMeterProvider first, or do not register the other one',
    ])
  })

  it('reports another copy of the API that was used first', () => {
    const { management, reports } = setUp()
    const key = Symbol.for('opentelemetry.js.api.1')
    const shared = globalThis as { [key: symbol]: unknown }
    const before = shared[key]
    shared[key] = { version: '1.4.0' }
    registerMeterProvider(management)
    registerTracerProvider(management)
    shared[key] = before
    expect(reports).toEqual([
      expect.stringContaining('another copy of @opentelemetry/api (version 1.4.0) was used first'),
      expect.stringContaining('another copy of @opentelemetry/api (version 1.4.0) was used first'),
    ])
  })

  it('registers with the copy of the API that it is given', () => {
    const { management, meters } = setUp()
    const undo = registerMeterProvider(management, { api })
    metrics.getMeter('lib').createCounter('calls').add(1)
    undo()
    expect(meters.names()).toEqual(['calls'])
  })

  it.each([
    [{ api: {} }, 'registerMeterProvider: api: expected the exports of @opentelemetry/api 1.9.0 or newer'],
    [{ api: { metrics, trace } }, 'registerMeterProvider: api: expected the exports of @opentelemetry/api'],
  ])('throws for %j', (options, message) => {
    expect(() => registerMeterProvider(setUp().management, options as never)).toThrow(message)
  })

  it('throws for meters that are not a registry', () => {
    const management = { meters: {} } as unknown as Parameters<typeof registerMeterProvider>[0]
    expect(() => registerMeterProvider(management)).toThrow(
      'registerMeterProvider: management.meters: expected a registry of upkeep, received an object',
    )
  })
})

describe('registerTracerProvider', () => {
  it('switches tracing on until it is undone', () => {
    expect(processTracing()).toBeUndefined()
    const undo = registerTracerProvider()
    trace.getTracer('lib').startActiveSpan('work', (span) => {
      expect(currentTrace()?.traceId).toBe(span.spanContext().traceId)
      expect(span.isRecording()).toBe(false)
      const headers = {}
      propagation.inject(context.active(), headers)
      expect(headers).toMatchObject({ traceparent: expect.stringContaining(span.spanContext().traceId) })
    })
    undo()
    undo()
    expect(processTracing()).toBeUndefined()
    expect(trace.getTracer('lib').startSpan('later').spanContext().traceId).toBe('0'.repeat(32))
    const headers = {}
    propagation.inject(trace.setSpan(context.active(), trace.wrapSpanContext(remote)), headers)
    expect(headers).toEqual({})
  })

  const remote = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }

  it('serves tracers that were obtained before it', () => {
    const tracer = trace.getTracer('early')
    const undo = registerTracerProvider()
    expect(trace.isSpanContextValid(tracer.startSpan('work').spanContext())).toBe(true)
    undo()
  })

  it("continues upkeep's spans, and is continued by them", () => {
    const undo = registerTracerProvider()
    traced('outer', (outer) => {
      trace.getTracer('lib').startActiveSpan('middle', (middle) => {
        expect(middle.spanContext().traceId).toBe(outer?.context.traceId)
        traced('inner', (inner) => expect(inner?.context.traceId).toBe(outer?.context.traceId))
      })
    })
    undo()
  })

  it('reports a provider that was registered first, and leaves it, its contexts and its propagator', () => {
    const { management, reports } = setUp()
    trace.setGlobalTracerProvider(new BasicTracerProvider())
    registerTracerProvider(management)()
    expect(trace.getTracer('lib').startSpan('work').isRecording()).toBe(true)
    expect(propagation.fields()).toEqual([])
    expect(reports).toEqual([
      'registerTracerProvider: nothing is registered, because a tracer provider (BasicTracerProvider) is registered ' +
        'already; call registerTracerProvider first, or do not register the other one',
    ])
  })

  it("leaves the application's own context manager and propagator registered", () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    const undo = registerTracerProvider()
    trace.getTracer('lib').startActiveSpan('outer', (outer) => {
      const inner = trace.getTracer('lib').startSpan('inner')
      expect(inner.spanContext().traceId).toBe(outer.spanContext().traceId)
    })
    undo()
    const around = context.active().setValue(Symbol.for('key'), 1)
    expect(context.with(around, () => context.active().getValue(Symbol.for('key')))).toBe(1)
  })

  it('does not make upkeep take its own provider for an SDK of the application', () => {
    const undo = registerTracerProvider()
    const management = createManagement({ metrics: { runtime: false } })
    traced('work', (span) => expect(span?.isRecording).toBe(false))
    management.close()
    undo()
  })

  it.each(['before', 'after'])('exports the spans of all scopes if it is called %s startTelemetry', async (order) => {
    const receiver = await startReceiver()
    const { management, reports } = setUp()
    const start = () => startTelemetry({ management, url: receiver.url, metrics: false })
    const register = () => registerTracerProvider(management)
    const undoFirst = order === 'before' ? register() : undefined
    const telemetry = await start()
    const undo = undoFirst ?? register()
    trace.getTracer('lib', '1.0.0').startSpan('work').end()
    traced('own', () => {})
    await telemetry.shutdown()
    expect(receiver.exports.flatMap(({ spans }) => spans.map(({ name }) => name))).toEqual(['work', 'own'])
    expect(trace.isSpanContextValid(trace.getTracer('lib').startSpan('later').spanContext())).toBe(true)
    undo()
    expect(reports).toEqual([])
    await receiver.dispose()
  })
})
