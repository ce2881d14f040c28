import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createContextManager } from '../../src/tracing/context/context-manager.ts'
import { createNativeTracing, createTracing } from '../../src/tracing/create-tracing.ts'

const managers = [
  ["the application's context manager", () => new AsyncLocalStorageContextManager().enable()],
  ["upkeep's context manager", createContextManager],
] as const

const createNative = () => createNativeTracing({ recorder: { processor: { onEnd() {} }, resource: {} } })
const withValue = (active: Context) => active.setValue(Symbol('other'), 1)

afterEach(() => {
  trace.disable()
  context.disable()
})

describe('a tracing', () => {
  it('stores the contexts itself unless the application has a context manager', () => {
    expect(createNative().ownsContexts).toBe(true)
    context.setGlobalContextManager(createContextManager())
    expect(createNative().ownsContexts).toBe(true)
    context.disable()
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    expect(createNative().ownsContexts).toBe(false)
  })

  it.runIf(Number(process.versions.node.split('.')[0]) >= 24)(
    'leaves nothing that a request enters into other storages (from Node 24)',
    () => {
      const [tracing, other] = [createNative(), new AsyncLocalStorage<unknown>()]
      tracing.runRequest(tracing.startSpan('GET'), () => other.enterWith('entered'))
      expect([tracing.activeSpan(), other.getStore()]).toEqual([undefined, undefined])
    },
  )
})

describe.each(managers)('the active span with %s', (_, createManager) => {
  it("is that of a request, also for OpenTelemetry's API", () => {
    context.setGlobalContextManager(createManager())
    const tracing = createNative()
    const span = tracing.startSpan('GET')
    const seen = tracing.runRequest(span, () => [tracing.activeSpan(), trace.getActiveSpan()?.spanContext().spanId])
    expect(seen).toEqual([span, span.context.spanId])
    expect([tracing.activeSpan(), trace.getActiveSpan()]).toEqual([undefined, undefined])
  })

  it('is the same one in a context to which the application has added a value', () => {
    context.setGlobalContextManager(createManager())
    const tracing = createNative()
    const span = tracing.startSpan('work')
    tracing.run(span, () => context.with(withValue(context.active()), () => expect(tracing.activeSpan()).toBe(span)))
  })

  it('is the same one whenever a span of the SDK is active', () => {
    context.setGlobalContextManager(createManager())
    trace.setGlobalTracerProvider(new BasicTracerProvider())
    const tracing = createTracing()
    trace.getTracer('application').startActiveSpan('theirs', (theirs) => {
      const active = tracing.activeSpan()
      expect(active?.context.spanId).toBe(theirs.spanContext().spanId)
      expect(tracing.activeSpan()).toBe(active)
      context.with(withValue(context.active()), () => expect(tracing.activeSpan()).toBe(active))
    })
  })
})

describe('without a span of the application', () => {
  it('its context manager is asked once', () => {
    const manager = new AsyncLocalStorageContextManager().enable()
    context.setGlobalContextManager(manager)
    trace.setGlobalTracerProvider(new BasicTracerProvider())
    const tracing = createTracing()
    expect(tracing.activeSpan()).toBeUndefined()
    const active = vi.spyOn(manager, 'active')
    expect(tracing.activeSpan()).toBeUndefined()
    expect(active).toHaveBeenCalledTimes(1)
  })
})
