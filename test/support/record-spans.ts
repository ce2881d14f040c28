import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { suppressTracing } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { createManagement, type Span, traced, withTrace } from 'upkeep'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { processTracing } from './process-tracing.ts'

export interface RecordedSpans {
  readonly activeSpan: () => Span | undefined
  readonly provider: BasicTracerProvider
  /** The ended spans, ordered by start time. */
  readonly all: () => readonly ReadableSpan[]
  /** Returns the span with this name. Throws when there is none. */
  readonly named: (name: string) => ReadableSpan
  /** The span tree as indented lines such as `client SELECT users !`, with `!` for an error status. */
  readonly tree: () => readonly string[]
  /** The same for the children of a span recorded elsewhere. */
  readonly treeBelow: (spanId: string) => readonly string[]
  /** Runs a function in a new span, and waits for it. */
  readonly below: <T>(name: string, work: (span: Span) => Promise<T>) => Promise<T>
  readonly suppressed: <T>(work: () => T) => T
  /** Runs a function in a span of an unsampled trace. */
  readonly unrecorded: <T>(work: (span: Span) => T) => T
}

/** Records spans with the OpenTelemetry SDK, registered globally, during the tests of a file. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    trace.setGlobalTracerProvider(provider)
    createManagement({ tracing: true })
  })
  beforeEach(() => exporter.reset())
  afterAll(() => {
    trace.disable()
    context.disable()
  })

  const all = () => exporter.getFinishedSpans().toSorted((a, b) => order(a) - order(b))
  const childrenOf = (parent: string | undefined, depth: number): readonly string[] =>
    all()
      .filter((span) => span.parentSpanContext?.spanId === parent)
      .flatMap((span) => ['  '.repeat(depth) + words(span), ...childrenOf(span.spanContext().spanId, depth + 1)])
  return {
    activeSpan: () => processTracing()?.activeSpan(),
    provider,
    all,
    named: (name) => {
      const found = all().find((span) => span.name === name)
      if (found === undefined)
        throw new Error(
          `no span ${name}, only ${all()
            .map((span) => span.name)
            .join(', ')}`,
        )
      return found
    },
    tree: () => childrenOf(undefined, 0),
    treeBelow: (spanId) => childrenOf(spanId, 0),
    below: async (name, work) => {
      // A rejection does not mark the span as failed.
      let outcome: ReturnType<typeof work> | undefined
      await traced(name, (span) => {
        outcome = work(started(span))
        return outcome.catch(() => {})
      })
      return outcome as ReturnType<typeof work>
    },
    unrecorded: (work) => withTrace({ traceparent: unsampled }, 'unrecorded', (span) => work(started(span))),
    suppressed: (work) => context.with(suppressTracing(context.active()), work),
  }
}

const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'

function started(span: Span | undefined): Span {
  if (span === undefined) throw new Error('tracing is off')
  return span
}

function order({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return (seconds % 1_000_000) * 1_000_000_000 + nanoseconds
}

function words(span: ReadableSpan): string {
  const failed = span.status.code === SpanStatusCode.ERROR ? ' !' : ''
  return `${SpanKind[span.kind].toLowerCase()} ${span.name}${failed}`
}
