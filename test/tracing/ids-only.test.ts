import { context, trace } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createContextManager } from '../../src/tracing/context/context-manager.ts'
import { createTracing } from '../../src/tracing/create-tracing.ts'
import { registeredTracerProvider } from '../../src/tracing/open-telemetry.ts'

const server = (isExcluded: boolean) => ({
  isExcluded: () => isExcluded,
  name: () => 'GET',
  attributes: () => ({ compute: () => ({}) }),
})

afterEach(() => {
  trace.disable()
  context.disable()
})

describe('the span of a request, without an SDK', () => {
  it.each([
    ['a new trace', 1, undefined, false, 3],
    ['a new trace that is not sampled', 0, undefined, false, 2],
    ['a new trace that is excluded', 1, undefined, true, 2],
    ['a trace that the caller samples', 0, 1, false, 1],
    ['a trace that the caller does not sample', 1, 0, false, 0],
  ])('in %s has its flags', (_, probability, callers, isExcluded, flags) => {
    const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
    const parent = callers === undefined ? undefined : { ...caller, flags: callers }
    const span = createTracing({ probability }).startServerSpan(parent, {}, server(isExcluded))
    expect([span.isRecording, span.context.flags]).toEqual([false, flags])
  })

  it('is active from when it is entered until it is left', () => {
    const tracing = createTracing()
    const span = tracing.startServerSpan(undefined, {}, server(false))
    tracing.storage.run(undefined, () => {
      tracing.enterRequest(span)
      expect(tracing.activeSpan()).toBe(span)
      tracing.leaveRequest()
      expect(tracing.activeSpan()).toBeUndefined()
      expect(tracing.storage.run(tracing.contextWith(span), () => tracing.activeSpan())).toBe(span)
    })
  })
})

describe('suppressed tracing, without an SDK', () => {
  it('is seen where it is suppressed alone', () => {
    context.setGlobalContextManager(createContextManager())
    const tracing = createTracing()
    context.with(suppressTracing(context.active()), () => {
      expect(tracing.isSuppressed()).toBe(true)
      expect(tracing.startSpan('quiet').context.flags).toBe(2)
    })
    tracing.run(tracing.startSpan('work'), () => expect(tracing.isSuppressed()).toBe(false))
    expect(tracing.isSuppressed()).toBe(false)
  })
})

describe('a tracer provider that was registered without a delegate', () => {
  const key = Symbol.for('opentelemetry.js.api.1')
  const shared = globalThis as { [key: symbol]: unknown }

  it('is used', () => {
    const before = shared[key]
    const started: string[] = []
    const span = { isRecording: () => true, spanContext: () => ({ traceId: 'e'.repeat(32), spanId: 'f'.repeat(16) }) }
    const startSpan = (name: string) => {
      started.push(name)
      return span
    }
    const provider = { getTracer: () => ({ startSpan }) }
    shared[key] = { trace: provider }
    try {
      expect(registeredTracerProvider()).toBe(provider)
      expect(createTracing().startSpan('work').isRecording).toBe(true)
      expect(started).toEqual(['work'])
    } finally {
      shared[key] = before
    }
  })
})
