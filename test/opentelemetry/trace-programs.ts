import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'
import type { Traced, TraceProgram } from './compared-traces.ts'

/** A program, and how upkeep's spans differ from the SDK's, if they do. */
export interface ComparedTraceProgram {
  readonly program: TraceProgram
  /** A row of the table of differences in docs/reference/otlp.md. */
  readonly difference?: string
  /** Returns what upkeep sends and returns, given what the SDK does. */
  readonly upkeep?: (sdk: Traced) => Traced
}

const any = <T>(value: unknown) => value as T

const remote: SpanContext = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
}
const link = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 1 }

/** Replaces parts of one span. */
const change =
  (name: string, parts: Readonly<Record<string, unknown>>) =>
  ({ spans, returned }: Traced): Traced => ({
    spans: { ...spans, [name]: { ...(spans[name] as object), ...parts } },
    returned,
  })

const withoutIds = (text: string | undefined) => text?.replace(/^(00)-[0-9a-f]{32}-[0-9a-f]{16}/, '$1-trace-span')

export const tracePrograms: Readonly<Record<string, ComparedTraceProgram>> = {
  'spans of all kinds': {
    program(tracer) {
      for (const kind of [0, 1, 2, 3, 4] as const) tracer.startSpan(`span of ${SpanKind[kind]}`, { kind }).end()
      tracer.startSpan('without options').end()
      tracer.startSpan('undefined options', undefined, undefined).end()
    },
  },
  'attributes of all types': {
    program(tracer) {
      const attributes = any<Attributes>({
        ...{ text: 'a', empty: '', number: 1.5, integer: 7, yes: true, no: false },
        ...{ texts: ['a', 'b'], numbers: [1, 2.5], flags: [true, false], none: [], holes: ['a', null, undefined] },
        ...{
          undefined: undefined,
          null: null,
          mixed: ['a', 1],
          nested: { a: 1 },
          function: () => 1,
          symbol: Symbol('a'),
        },
        ...{ '': 'empty key' },
      })
      const span = tracer.startSpan('initial', { attributes })
      span.end()
      const other = tracer.startSpan('added', { attributes: { text: 'before', kept: 1 } })
      other.setAttributes(attributes).setAttribute('single', 1).setAttribute('number', 'replaced')
      other.setAttribute('undefined', any<string>(undefined)).setAttribute('nested', any<string>({}))
      other.end()
    },
  },
  'attributes that change afterwards': {
    program(tracer) {
      const list = ['a']
      const attributes: Attributes = { list, text: 'a' }
      const span = tracer.startSpan('span', { attributes })
      const event: Attributes = { text: 'a' }
      span.addEvent('event', event)
      list.push('b')
      attributes['text'] = 'b'
      event['text'] = 'b'
      span.end()
    },
  },
  'more attributes than the limit': {
    program(tracer) {
      const span = tracer.startSpan('span')
      for (let at = 0; at < 200; at++) span.setAttribute(`attribute.${at}`, at)
      span.setAttribute('attribute.5', 'replaced')
      span.end()
    },
  },
  'events and their times': {
    program(tracer) {
      const span = tracer.startSpan('span')
      span.addEvent('now').addEvent('with attributes', { a: 1, list: ['x'], bad: any<string>({}) })
      span.addEvent('at a time', [1_600_000_000, 5]).addEvent('with both', { a: 1 }, [1_600_000_001, 6])
      span.addEvent('at a date', new Date(Date.UTC(2020, 1))).addEvent('in milliseconds', Date.UTC(2020, 2) + 0.5)
      span.end()
    },
  },
  'more events and links than the limit': {
    program(tracer) {
      const span = tracer.startSpan('span')
      for (let at = 0; at < 130; at++) span.addEvent(`event ${at}`).addLink({ context: link, attributes: { at } })
      span.end()
    },
    difference: 'the first 128 events and links of a span are kept',
    upkeep: (sdk) => {
      const { events, links } = sdk.spans['span'] as { events: readonly object[]; links: readonly object[] }
      const first = (items: readonly object[], at: number, make: (at: number) => object) =>
        items.map((item, index) => ({ ...item, ...make(index + at) }))
      return change('span', {
        events: first(events, 0, (at) => ({ name: `event ${at}` })),
        links: first(links, 0, (at) => ({ attributes: { at } })),
      })(sdk)
    },
  },
  exceptions: {
    program(tracer) {
      const span = tracer.startSpan('span')
      const error = new RangeError('too much')
      error.stack = 'RangeError: too much\n    at program'
      span.recordException(error)
      span.recordException(error, [1_600_000_000, 0])
      span.recordException(any<Error>(undefined))
      span.end()
    },
  },
  'exceptions with a code, and exceptions that are strings': {
    program(tracer) {
      const span = tracer.startSpan('span')
      span.recordException({ name: 'Error', code: 'ENOENT', message: 'no such file' })
      span.recordException('only a string')
      span.end()
    },
    difference: 'exceptions are recorded without credentials, with the type of their class',
    upkeep: (sdk) => {
      const { events } = sdk.spans['span'] as { events: readonly object[] }
      const attributes = [
        { 'exception.type': 'Error', 'exception.message': 'no such file' },
        { 'exception.type': 'string', 'exception.message': 'only a string' },
      ]
      return change('span', { events: events.map((event, at) => ({ ...event, attributes: attributes[at] })) })(sdk)
    },
  },
  links: {
    program(tracer) {
      const attributes = any<Attributes>({ a: 1, bad: {} })
      const span = tracer.startSpan('span', { links: [{ context: link }, { context: link, attributes }] })
      span.addLink({ context: link, attributes: { b: ['x'] } })
      span.addLinks([{ context: link }, { context: link, attributes: { c: true } }])
      span.end()
    },
  },
  'the status': {
    program(tracer) {
      const statuses: Readonly<Record<string, readonly SpanStatus[]>> = {
        unset: [{ code: SpanStatusCode.UNSET, message: 'ignored' }],
        ok: [{ code: SpanStatusCode.OK, message: 'ignored' }],
        error: [{ code: SpanStatusCode.ERROR, message: 'failed' }],
        'error without a message': [{ code: SpanStatusCode.ERROR }],
        'error with an object': [{ code: SpanStatusCode.ERROR, message: any<string>(new Error('x')) }],
        'ok, then error': [{ code: SpanStatusCode.OK }, { code: SpanStatusCode.ERROR, message: 'late' }],
        'error, then ok': [{ code: SpanStatusCode.ERROR, message: 'first' }, { code: SpanStatusCode.OK }],
        'error, then unset': [{ code: SpanStatusCode.ERROR, message: 'first' }, { code: SpanStatusCode.UNSET }],
        'error, then error': [
          { code: SpanStatusCode.ERROR, message: 'first' },
          { code: SpanStatusCode.ERROR, message: 'second' },
        ],
      }
      for (const [name, set] of Object.entries(statuses)) {
        const span = tracer.startSpan(name)
        for (const status of set) span.setStatus(status)
        span.end()
      }
    },
  },
  'a span that has ended': {
    program(tracer) {
      const span = tracer.startSpan('span', { attributes: { a: 1 } })
      span.updateName('renamed')
      const before = span.isRecording()
      span.end()
      span.updateName('again').setAttribute('b', 1).addEvent('late').addLink({ context: link })
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.recordException(new Error('late'))
      span.end()
      return [before, span.isRecording()]
    },
  },
  'explicit times': {
    program(tracer) {
      tracer.startSpan('high resolution', { startTime: [1_600_000_000, 123_456_789] }).end([1_600_000_001, 1])
      tracer.startSpan('date', { startTime: new Date(Date.UTC(2020, 1)) }).end(new Date(Date.UTC(2020, 2)))
      tracer.startSpan('milliseconds', { startTime: Date.UTC(2020, 1) }).end(Date.UTC(2020, 1) + 1.5)
      tracer.startSpan('only the start', { startTime: [1_600_000_000, 0] }).end()
      tracer.startSpan('end before the start', { startTime: [1_600_000_000, 5] }).end([1_500_000_000, 0])
      tracer.startSpan('monotonic', { startTime: performance.now() }).end(performance.now())
    },
  },
  'parents and roots': {
    program(tracer) {
      tracer.startActiveSpan('outer', (outer) => {
        tracer.startActiveSpan('inner', { kind: SpanKind.CLIENT }, (inner) => {
          tracer.startSpan('innermost').end()
          tracer.startSpan('root', { root: true }).end()
          tracer.startSpan('beside', {}, trace.setSpan(context.active(), outer)).end()
          tracer.startSpan('nowhere', {}, ROOT_CONTEXT).end()
          inner.end()
        })
        outer.end()
      })
      tracer.startSpan('after').end()
    },
  },
  'the overloads of startActiveSpan': {
    async program(tracer) {
      const key = Symbol('key')
      const around = context.active().setValue(key, 'value')
      const results: unknown[] = [
        tracer.startActiveSpan('function', (span) => {
          span.end()
          return trace.getActiveSpan() === span
        }),
        tracer.startActiveSpan('options', { attributes: { a: 1 } }, (span) => {
          span.end()
          return 'returned'
        }),
        tracer.startActiveSpan('context', {}, around, (span) => {
          span.end()
          return context.active().getValue(key)
        }),
        await tracer.startActiveSpan('promise', async (span) => {
          await new Promise(setImmediate)
          span.end()
          return trace.getActiveSpan() === span
        }),
        any<(name: string) => unknown>(tracer.startActiveSpan).call(tracer, 'nothing'),
      ]
      try {
        tracer.startActiveSpan('throws', (span) => {
          span.end()
          throw new Error('passed on')
        })
      } catch (error) {
        results.push(String(error))
      }
      return [...results, trace.getActiveSpan()]
    },
  },
  'remote parents': {
    program(tracer) {
      const below = (name: string, parent: SpanContext) => {
        const span = tracer.startSpan(name, {}, trace.setSpanContext(ROOT_CONTEXT, parent))
        span.end()
        const { traceId } = span.spanContext()
        return [span.isRecording(), traceId === parent.traceId, span.spanContext().traceFlags & 1]
      }
      return [
        below('sampled', remote),
        below('local', { ...remote, isRemote: false }),
        below('unsampled', { ...remote, traceFlags: TraceFlags.NONE }),
        below('zeros', { ...remote, traceId: '0'.repeat(32) }),
        below('no span', { ...remote, spanId: '0'.repeat(16) }),
        below('malformed', { ...remote, traceId: 'xyz' }),
      ]
    },
  },
  'suppressed tracing': {
    program(tracer) {
      return context.with(suppressTracing(context.active()), () => {
        const span = tracer.startSpan('suppressed')
        span.setAttribute('a', 1).addEvent('b')
        span.end()
        const headers = {}
        propagation.inject(trace.setSpan(context.active(), tracer.startSpan('other')), headers)
        return [span.isRecording(), span.spanContext(), headers]
      })
    },
  },
  scopes: {
    program() {
      trace.getTracer('first').startSpan('one').end()
      trace.getTracer('first', '2.0.0').startSpan('two').end()
      const provider = trace.getTracerProvider()
      provider.getTracer('third', '1.0.0', { schemaUrl: 'https://example.com/1' }).startSpan('three').end()
    },
  },
  'headers that are injected and extracted': {
    program(tracer) {
      const extract = (headers: Readonly<Record<string, unknown>>) => {
        const span = trace.getSpan(propagation.extract(ROOT_CONTEXT, headers))
        const { traceState, ...ids } = span?.spanContext() ?? {}
        return { ...ids, traceState: traceState?.serialize() }
      }
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const continued = propagation.extract(ROOT_CONTEXT, { traceparent, tracestate: 'a=1,b=2' })
      const headers: Record<string, string> = {}
      context.with(continued, () => propagation.inject(context.active(), headers))
      const own: Record<string, string> = {}
      tracer.startActiveSpan('below', {}, continued, (span) => {
        propagation.inject(context.active(), own)
        span.end()
      })
      const none = {}
      propagation.inject(ROOT_CONTEXT, none)
      const carried: Record<string, string> = {}
      const withBaggage = propagation.extract(ROOT_CONTEXT, { baggage: 'tenant=a%20b,region=eu;zone=1' })
      propagation.inject(withBaggage, carried)
      return {
        fields: propagation.fields(),
        ...{ headers, own: { ...own, traceparent: withoutIds(own['traceparent']) }, none, carried },
        tenant: propagation.getBaggage(withBaggage)?.getEntry('tenant')?.value,
        valid: extract({ traceparent, tracestate: 'a=1' }),
        list: extract({ traceparent: [traceparent], tracestate: ['a=1', 'b=2'] }),
        malformed: extract({ traceparent: 'xyz' }),
        zeros: extract({ traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` }),
        absent: extract({ tracestate: 'a=1' }),
      }
    },
  },
  'a span context': {
    program(tracer) {
      const span = tracer.startSpan('span')
      span.end()
      const first = span.spanContext()
      const { traceId, spanId, traceFlags, traceState } = first
      const again = span.spanContext()
      return [
        trace.isSpanContextValid(span.spanContext()),
        traceId.length,
        spanId.length,
        traceFlags & 1,
        traceState,
        first === again,
      ]
    },
  },
}
