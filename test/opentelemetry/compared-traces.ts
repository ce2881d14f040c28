import { context, propagation, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createMeterRegistry } from 'upkeep/metrics'
import { registerTracerProvider } from 'upkeep/opentelemetry'
import { startTelemetry } from 'upkeep/otlp'
import { attributesOf, decodeTraces, type KeyValue, type SentSpan } from '../support/otlp/decode.ts'
import { startHttp } from '../support/start-http.ts'

/** A program that records spans through OpenTelemetry's API; what it returns is compared as well. */
export type TraceProgram = (tracer: Tracer) => unknown

/** What a receiver gets, and what the program returns. */
export interface Traced {
  readonly spans: Readonly<Record<string, unknown>>
  readonly returned: unknown
}

interface WireSpan extends SentSpan {
  readonly startTimeUnixNano: number
  readonly endTimeUnixNano: number
  readonly traceState?: string
  readonly events?: readonly WireEvent[]
  readonly links?: readonly (WireItem & { readonly traceId: string; readonly spanId: string })[]
  readonly droppedAttributesCount?: number
  readonly droppedEventsCount?: number
  readonly droppedLinksCount?: number
}

interface WireItem {
  readonly attributes?: readonly KeyValue[]
  readonly droppedAttributesCount?: number
}

interface WireEvent extends WireItem {
  readonly name: string
  readonly timeUnixNano: number
}

interface Scoped {
  readonly scope: string
  readonly span: WireSpan
}

/** Runs a program against the official SDK and its exporter. */
export async function traceOnSdk(program: TraceProgram): Promise<Traced> {
  const receiver = await startSpanReceiver()
  const exporter = new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` })
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  )
  trace.setGlobalTracerProvider(provider)
  const returned = await program(trace.getTracer('program', '1.2.3'))
  await provider.shutdown()
  for (const api of [trace, context, propagation]) api.disable()
  return normalize(await receiver.end(), returned)
}

/** Runs a program against upkeep, whose provider is registered before its export is started. */
export async function traceOnUpkeep(program: TraceProgram): Promise<Traced> {
  const receiver = await startSpanReceiver()
  const management = { meters: createMeterRegistry(), application: { name: 'program' } }
  const unregister = registerTracerProvider()
  const tracer = trace.getTracer('program', '1.2.3')
  const telemetry = await startTelemetry({ management, url: receiver.url, metrics: false })
  const returned = await program(tracer)
  await telemetry.shutdown()
  unregister()
  return normalize(await receiver.end(), returned)
}

async function startSpanReceiver() {
  const received: Scoped[] = []
  const server = await startHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { resourceSpans = [] } = decodeTraces(Buffer.concat(chunks), request.headers['content-encoding'])
    for (const { scopeSpans } of resourceSpans) {
      for (const { scope, spans } of scopeSpans) {
        // Safe: what the type does not list is decoded as well.
        for (const span of spans) received.push({ scope: JSON.stringify(scope), span: span as WireSpan })
      }
    }
    response.end()
  })
  return {
    url: server.url,
    async end() {
      await server.dispose()
      return received
    },
  }
}

/** Replaces what differs between any two runs: ids by the names of their spans, and times of the run. */
function normalize(received: readonly Scoped[], returned: unknown): Traced {
  const nameOf = new Map(received.map(({ span }) => [span.spanId, span.name]))
  const roots = new Map<string, string>()
  for (const { span } of received) if (!span.parentSpanId) roots.set(span.traceId, span.name)
  const traceOf = (id: string) => roots.get(id) ?? id
  const timeOf = (time: number) => (time < firstOfRun ? time : 'now')
  const itemOf = ({ attributes, droppedAttributesCount = 0 }: WireItem) => ({
    attributes: attributesOf(attributes),
    droppedAttributesCount,
  })
  const spans = received.map(({ scope, span }) => {
    const normal = {
      scope,
      kind: span.kind,
      trace: traceOf(span.traceId),
      parent: span.parentSpanId ? (nameOf.get(span.parentSpanId) ?? span.parentSpanId) : undefined,
      traceState: span.traceState,
      start: timeOf(span.startTimeUnixNano),
      end: timeOf(span.endTimeUnixNano),
      status: { code: 'STATUS_CODE_UNSET', ...span.status },
      attributes: attributesOf(span.attributes),
      events: span.events?.map((event) => ({ name: event.name, time: timeOf(event.timeUnixNano), ...itemOf(event) })),
      links: span.links?.map((link) => ({ trace: traceOf(link.traceId), span: link.spanId, ...itemOf(link) })),
      dropped: [span.droppedAttributesCount ?? 0, span.droppedEventsCount ?? 0, span.droppedLinksCount ?? 0],
    }
    return [span.name, normal] as const
  })
  return { spans: Object.fromEntries(spans.toSorted(([one], [other]) => (one < other ? -1 : 1))), returned }
}

/** Explicit times of the programs are before it. */
const firstOfRun = Date.UTC(2025, 0) * 1e6
