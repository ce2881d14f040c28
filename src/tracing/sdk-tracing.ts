import type { TraceIds } from '../ids/trace-context/trace-ids.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import { ContextWithSpan, rootContext } from './context/context.ts'
import { ContextTracing } from './context/context-tracing.ts'
import { addBaggageAttributes } from './context/current-baggage.ts'
import { baggageSelection } from './current-tracing.ts'
import {
  type ApiSpanOptions,
  type OpenTelemetryContext,
  type OpenTelemetryContextManager,
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  type OpenTelemetrySpanOptions,
  type OpenTelemetryTracer,
  spanKey,
  spanKinds,
} from './open-telemetry.ts'
import type { Span, SpanOptions } from './span.ts'
import { bridged, contextOf } from './spans/bridged-span.ts'
import { NonRecordingSpan } from './spans/non-recording-span.ts'
import { RemoteSpan } from './spans/remote-span.ts'
import { adoptServerSpan } from './spans/sdk-span.ts'
import { toSpanContext } from './spans/span-context.ts'
import type { HeadSampler } from './trace-sampler.ts'
import type { ServerSpanDescription } from './tracing.ts'
import type { TracingControl } from './tracing-control.ts'

/** Starts spans with a tracer of the application's OpenTelemetry SDK, which samples, records and exports them. */
export class SdkTracing extends ContextTracing {
  readonly clock = undefined
  readonly #tracer: OpenTelemetryTracer
  readonly #sampler: HeadSampler
  readonly #ids: TraceIds

  constructor(
    tracer: OpenTelemetryTracer,
    manager: OpenTelemetryContextManager | undefined,
    control: TracingControl,
    ids: TraceIds,
  ) {
    super(control, manager)
    this.#tracer = tracer
    this.#sampler = control.sampler
    this.#ids = ids
  }

  startSpan(name: string, { kind = 'internal', attributes, parent, links, baggage }: SpanOptions = {}): Span {
    const above = this.parentOf(parent)
    if (!this.#isRecordable(above)) return new NonRecordingSpan(above, false, this.#ids)
    const options: OpenTelemetrySpanOptions = {
      kind: spanKinds[kind],
      ...(attributes !== undefined && { attributes }),
      ...(links !== undefined && { links: links.map((link) => ({ context: toSpanContext(link, true) })) }),
    }
    const span = this.#start(name, options, above)
    if (baggageSelection() !== undefined) addBaggageAttributes(span, baggage ?? this.activeBaggage())
    return span
  }

  startApiSpan(
    _scope: OpenTelemetryScope,
    name: string,
    options: ApiSpanOptions,
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan {
    try {
      // Safe: the SDK accepts options as the API passes them.
      return this.#tracer.startSpan(name, options as OpenTelemetrySpanOptions, context)
    } catch {
      return new NonRecordingSpan(this.parentIn(context), false, this.#ids).openTelemetry
    }
  }

  /** Below a span the SDK decides, unless that is not the SDK's, because it was to be excluded. */
  #isRecordable(parent: Span | TraceContext | undefined): boolean {
    if (this.isSuppressed()) return false
    if (parent === undefined || !('context' in parent)) return this.#sampler.isSampled(parent)
    return !(parent instanceof NonRecordingSpan)
  }

  startServerSpan<S>(parent: TraceContext | undefined, source: S, description: ServerSpanDescription<S>): Span {
    const isSampled = this.#sampler.isSampled(parent)
    if (description.isExcluded(source) || this.isSuppressed()) return new NonRecordingSpan(parent, false, this.#ids)
    const adopted = adoptServerSpan(this.activeContext())
    if (adopted !== undefined) return adopted
    if (!isSampled) return new NonRecordingSpan(parent, false, this.#ids)
    const attributes = description.attributes(source).compute()
    return this.#start(description.name(source), { kind: spanKinds.server, attributes }, parent)
  }

  #start(name: string, options: OpenTelemetrySpanOptions, parent: Span | TraceContext | undefined): Span {
    try {
      const span = this.#tracer.startSpan(name, options, this.#contextFor(parent))
      // A provider that has been shut down returns spans with ids of zeros only.
      if (span.isRecording() || !/^0+$/.test(span.spanContext().traceId)) {
        return this.wrap(span, parent === undefined ? 0 : contextOf(parent).flags)
      }
    } catch {
      // A sampler or a processor of the application that throws must not fail what is traced.
    }
    return new NonRecordingSpan(parent, false, this.#ids)
  }

  /** Returns the context with which the SDK is to start a child of `parent`, or a root. */
  #contextFor(parent: Span | TraceContext | undefined): OpenTelemetryContext {
    if (parent === undefined) return rootContext
    return 'context' in parent
      ? new ContextWithSpan(this.activeContext() ?? rootContext, bridged(parent))
      : rootContext.setValue(spanKey, new RemoteSpan(parent))
  }
}
