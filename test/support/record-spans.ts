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
  /** Those that have ended, in the order of their start. */
  readonly all: () => readonly ReadableSpan[]
  /** One of a name, which has to be there. */
  readonly named: (name: string) => ReadableSpan
  /** The tree of them in words, one a line, each below its parent: `client SELECT users !`, with `!` for failed. */
  readonly tree: () => readonly string[]
  /** The same, of those below a span that was recorded elsewhere. */
  readonly treeBelow: (spanId: string) => readonly string[]
  /** Runs something below a span, and waits for it. */
  readonly below: <T>(name: string, work: (span: Span) => Promise<T>) => Promise<T>
  readonly suppressed: <T>(work: () => T) => T
  /** Runs something in a span of a trace that is not sampled. */
  readonly unrecorded: <T>(work: (span: Span) => T) => T
}

/** Records spans with OpenTelemetry's SDK, registered as an application would, while the tests of a file run. */
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
      // What rejects does not make the span fail.
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
