import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createManagement, getBaggage, traced, traceHeaders, withBaggage, withTrace } from 'upkeep'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContextManager } from '../../src/tracing/context/context-manager.ts'
import { createNativeTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'

const exporter = new InMemorySpanExporter()
const processor = new SimpleSpanProcessor({ exporter })
const provider = new TracerProvider({ spanProcessors: [processor] })
const selection = { baggage: { spanAttributes: ['tenant'] } }

/** Ways in which spans are recorded; each returns what ends it. */
const recorders: Readonly<Record<string, () => () => void>> = {
  'the SDK and its context manager': () => {
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    return createManagement({ tracing: selection, metrics: { runtime: false } }).close
  },
  "the SDK and upkeep's context manager": () => {
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(createContextManager())
    return createManagement({ tracing: selection, metrics: { runtime: false } }).close
  },
  "upkeep's own spans": () => {
    context.setGlobalContextManager(createContextManager())
    const { close } = createManagement({ tracing: selection, metrics: { runtime: false } })
    const { resource } = provider.getTracer('application').startSpan('') as unknown as { resource: never }
    const uninstall = installTracing(createNativeTracing({ recorder: { processor, resource } as never }))
    return () => {
      uninstall()
      close()
    }
  },
}

describe.each(Object.entries(recorders))('baggage with %s', (_, record) => {
  let end: () => void
  beforeEach(() => {
    end = record()
  })
  afterEach(() => {
    end()
    exporter.reset()
    trace.disable()
    context.disable()
    propagation.disable()
  })

  it('is recorded as attributes of spans, as far as it is selected', () => {
    withTrace({ baggage: 'tenant=acme,user=ada' }, 'process', () => {
      traced('inner', () => {})
      withBaggage({ tenant: 'other' }, () => traced('changed', () => {}))
    })
    traced('outside', () => {})
    const found = exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes['tenant'] ?? null])
    expect(Object.fromEntries(found)).toEqual({ process: 'acme', inner: 'acme', changed: 'other', outside: null })
    expect(exporter.getFinishedSpans().every(({ attributes }) => !('user' in attributes))).toBe(true)
  })

  it("is that of OpenTelemetry's API, in both directions", () => {
    traced('work', (span) => {
      withBaggage({ tenant: 'acme' }, () => {
        expect(propagation.getActiveBaggage()?.getEntry('tenant')).toEqual({ value: 'acme' })
        const changed = propagation.getActiveBaggage()?.setEntry('plan', { value: 'gold' })
        expect(changed?.getAllEntries().map(([key]) => key)).toEqual(['plan', 'tenant'])
        expect(changed?.removeEntry('tenant').getAllEntries()).toEqual([['plan', { value: 'gold' }]])
        expect(changed?.clear().getAllEntries()).toEqual([])
      })
      const theirs = propagation.createBaggage({ user: { value: 'Amélie' }, 'not a key': { value: '1' } })
      context.with(propagation.setBaggage(context.active(), theirs), () => {
        expect(getBaggage('user')).toBe('Amélie')
        expect(traceHeaders().baggage).toBe('user=Am%C3%A9lie')
        expect(traceHeaders().traceparent).toContain(span?.context.spanId)
        withBaggage({ tenant: 'acme' }, () => expect(traceHeaders().baggage).toBe('tenant=acme,user=Am%C3%A9lie'))
      })
    })
  })
})
