import type { Context, TextMapGetter, TextMapPropagator, TextMapSetter } from '@opentelemetry/api'
import { traceHeadersOf } from '../../tracing/context/carrier.ts'
import { spanOfContext } from '../../tracing/context/context.ts'
import { Baggage, baggageKey, baggageOf } from '../../tracing/context/context-baggage.ts'
import { parseTraceContext } from '../../tracing/context/received-context.ts'
import { type OpenTelemetrySpan, spanKey, suppressTracingKey } from '../../tracing/open-telemetry.ts'
import { RemoteSpan } from '../../tracing/spans/remote-span.ts'
import { isValidSpanContext } from '../../tracing/spans/span-context.ts'

/** Propagates `traceparent` and `tracestate` for OpenTelemetry's API. W3C Trace Context Level 2. */
const traceContextPropagator: TextMapPropagator = {
  fields: () => ['traceparent', 'tracestate'],
  inject(context, carrier, setter) {
    if (context.getValue(suppressTracingKey) === true) return
    const headers = headersIn(context)
    if (headers?.traceparent !== undefined) setter.set(carrier, 'traceparent', headers.traceparent)
    if (headers?.tracestate !== undefined) setter.set(carrier, 'tracestate', headers.tracestate)
  },
  extract(context, carrier, getter) {
    const received = parseTraceContext(
      only(getter.get(carrier, 'traceparent')),
      joined(getter.get(carrier, 'tracestate')),
    )
    return received === undefined ? context : context.setValue(spanKey, new RemoteSpan(received))
  },
}

/** Propagates `baggage` for OpenTelemetry's API. W3C Baggage. */
const baggagePropagator: TextMapPropagator = {
  fields: () => ['baggage'],
  inject(context, carrier, setter) {
    if (context.getValue(suppressTracingKey) === true) return
    const field = baggageOf(context)?.field
    if (field !== undefined && field !== '') setter.set(carrier, 'baggage', field)
  },
  extract(context, carrier, getter) {
    const field = joined(getter.get(carrier, 'baggage'))
    return field === undefined ? context : context.setValue(baggageKey, new Baggage(field))
  },
}

/** The propagators that upkeep registers, in the order in which they are called. */
const propagators: readonly TextMapPropagator[] = [traceContextPropagator, baggagePropagator]

/** Creates the propagator that upkeep registers. One that throws does not affect the request or the others. */
export function createPropagator(): TextMapPropagator {
  return {
    fields: () => propagators.flatMap((each) => each.fields()),
    inject<C>(context: Context, carrier: C, setter: TextMapSetter<C>) {
      for (const each of propagators) {
        try {
          each.inject(context, carrier, setter)
        } catch {}
      }
    },
    extract<C>(context: Context, carrier: C, getter: TextMapGetter<C>) {
      return propagators.reduce((extracted, each) => {
        try {
          return each.extract(extracted, carrier, getter)
        } catch {
          return extracted
        }
      }, context)
    },
  }
}

function headersIn(context: Context) {
  const own = spanOfContext(context)
  if (own !== undefined) return traceHeadersOf(own.context)
  const spanContext = (context.getValue(spanKey) as OpenTelemetrySpan | undefined)?.spanContext()
  if (spanContext === undefined || !isValidSpanContext(spanContext)) return undefined
  const { traceId, spanId, traceFlags, traceState } = spanContext
  return traceHeadersOf({ traceId, spanId, flags: traceFlags, tracestate: traceState?.serialize() })
}

/** Returns a field that may occur once; `undefined` if it occurs several times (W3C Trace Context §3.2). */
function only(value: string | string[] | undefined): string | undefined {
  if (!Array.isArray(value)) return value
  return value.length === 1 ? value[0] : undefined
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}
