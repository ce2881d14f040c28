import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { Span } from 'upkeep'
import { createTraceIds } from 'upkeep'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createContextManager } from '../../src/tracing/context-manager.ts'
import { createOpenTelemetryTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'
import type { Tracing } from '../../src/tracing/tracing.ts'
import { UnrecordedSpan } from '../../src/tracing/unrecorded-span.ts'

export interface RecordedSpans {
  readonly tracing: Tracing
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
  /** A span of a trace that is not sampled. */
  readonly unrecorded: () => Span
}

/** Records spans with OpenTelemetry's own SDK, in memory, while the tests of a file run. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const manager = createContextManager()
  const tracing = createOpenTelemetryTracing({ tracer: provider.getTracer('test'), contextManager: manager })
  let uninstall = () => {}
  beforeAll(() => {
    context.setGlobalContextManager(manager)
    uninstall = installTracing(tracing)
  })
  beforeEach(() => exporter.reset())
  afterAll(() => {
    uninstall()
    context.disable()
  })

  const all = () => exporter.getFinishedSpans().toSorted((a, b) => order(a) - order(b))
  const childrenOf = (parent: string | undefined, depth: number): readonly string[] =>
    all()
      .filter((span) => span.parentSpanContext?.spanId === parent)
      .flatMap((span) => ['  '.repeat(depth) + words(span), ...childrenOf(span.spanContext().spanId, depth + 1)])
  return {
    tracing,
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
      const span = tracing.startSpan(name)
      try {
        return await tracing.run(span, () => work(span))
      } finally {
        span.end()
      }
    },
    unrecorded: () => new UnrecordedSpan(undefined, false, createTraceIds()),
    suppressed: (work) => context.with(suppressTracing(context.active()), work),
  }
}

function order({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return (seconds % 1_000_000) * 1_000_000_000 + nanoseconds
}

function words(span: ReadableSpan): string {
  const failed = span.status.code === SpanStatusCode.ERROR ? ' !' : ''
  return `${SpanKind[span.kind].toLowerCase()} ${span.name}${failed}`
}
