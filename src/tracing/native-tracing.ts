import type { Clock } from '../base/clock.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import { ContextTracing } from './context/context-tracing.ts'
import { addBaggageAttributes } from './context/current-baggage.ts'
import { baggageSelection } from './current-tracing.ts'
import {
  type ApiSpanOptions,
  type OpenTelemetryContext,
  type OpenTelemetryContextManager,
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  spanKinds,
  suppressTracingKey,
} from './open-telemetry.ts'
import type { Span, SpanOptions } from './span.ts'
import { acceptedAttributes } from './spans/attributes.ts'
import { isSampled } from './spans/bridged-span.ts'
import { NativeSpan } from './spans/native-span.ts'
import { addLinks } from './spans/native-span-view.ts'
import { NonRecordingSpan } from './spans/non-recording-span.ts'
import { invalidSpan } from './spans/remote-span.ts'
import { toSpanContext } from './spans/span-context.ts'
import type { SpanRecorder } from './spans/span-recorder.ts'
import type { HeadSampler } from './trace-sampler.ts'
import type { ServerSpanDescription } from './tracing.ts'

/** Records spans itself, and passes them to an OpenTelemetry processor when they end. */
export class NativeTracing extends ContextTracing {
  readonly clock: Clock
  readonly #sampler: HeadSampler
  readonly #recorder: SpanRecorder

  constructor(sampler: HeadSampler, recorder: SpanRecorder, manager: OpenTelemetryContextManager | undefined) {
    super(manager)
    this.clock = recorder.clock
    this.#sampler = sampler
    this.#recorder = recorder
  }

  startSpan(name: string, { kind = 'internal', attributes, parent, links, baggage }: SpanOptions = {}): Span {
    const given = this.parentOf(parent)
    const isSampledSpan = !this.isSuppressed() && this.#isSampled(given)
    const above = this.#decide(given, isSampledSpan)
    if (!isSampledSpan) return new NonRecordingSpan(above, false, this.#recorder.ids)
    const span = new NativeSpan(this.#recorder, name, spanKinds[kind], attributes, above)
    for (const link of links ?? []) span.addLink(toSpanContext(link, true))
    if (baggageSelection() !== undefined) addBaggageAttributes(span, baggage ?? this.activeBaggage())
    return span
  }

  startApiSpan(
    scope: OpenTelemetryScope,
    name: string,
    { kind, attributes, links, startTime, root }: ApiSpanOptions,
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan {
    if (context.getValue(suppressTracingKey) === true) return invalidSpan
    const parent = root ? undefined : this.parentIn(context)
    const isSampledSpan = this.#isSampled(parent)
    const above = this.#decide(parent, isSampledSpan)
    if (!isSampledSpan) return new NonRecordingSpan(above, false, this.#recorder.ids).openTelemetry
    const spanKind = typeof kind === 'number' ? kind : spanKinds.internal
    const initial = attributes === undefined ? undefined : acceptedAttributes(attributes)
    const span = new NativeSpan(this.#recorder.in(scope), name, spanKind, initial, above)
    if (startTime !== undefined) span.startAt(startTime)
    addLinks(span, links)
    return span.openTelemetry
  }

  /** Returns the parent; the context of a caller with the decision in its flags. */
  #decide(parent: Span | TraceContext | undefined, isSampledSpan: boolean): Span | TraceContext | undefined {
    return parent === undefined || 'context' in parent ? parent : this.#sampler.decide(parent, isSampledSpan)
  }

  #isSampled(parent: Span | TraceContext | undefined): boolean {
    if (parent === undefined || !('context' in parent)) return this.#sampler.isSampled(parent)
    return !(parent instanceof NonRecordingSpan) && isSampled(parent)
  }

  startServerSpan<S>(
    parent: TraceContext | undefined,
    source: S,
    description: ServerSpanDescription<S>,
    startedAt?: number,
  ): Span {
    const isSampledTrace = this.#sampler.isSampled(parent)
    const above = this.#sampler.decide(parent, isSampledTrace)
    if (!isSampledTrace || description.isExcluded(source)) return new NonRecordingSpan(above, false, this.#recorder.ids)
    const attributes = description.attributes(source)
    return new NativeSpan(this.#recorder, description.name(source), spanKinds.server, attributes, above, startedAt)
  }
}
