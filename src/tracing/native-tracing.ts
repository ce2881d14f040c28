import type { Clock } from '../base/clock.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import { ContextTracing } from './context/context-tracing.ts'
import { addBaggageAttributes } from './context/current-baggage.ts'
import { baggageSelection } from './current-tracing.ts'
import { type OpenTelemetryContextManager, spanKinds } from './open-telemetry.ts'
import type { Span, SpanOptions } from './span.ts'
import { isSampled } from './spans/bridged-span.ts'
import { NativeSpan } from './spans/native-span.ts'
import { NonRecordingSpan } from './spans/non-recording-span.ts'
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
    const isSampledSpan = this.#isSampled(given)
    const above = given === undefined || 'context' in given ? given : this.#sampler.decide(given, isSampledSpan)
    if (!isSampledSpan) return new NonRecordingSpan(above, false, this.#recorder.ids)
    const span = new NativeSpan(this.#recorder, name, spanKinds[kind], attributes, above)
    for (const link of links ?? []) span.addLink(toSpanContext(link, true))
    if (baggageSelection() !== undefined) addBaggageAttributes(span, baggage ?? this.activeBaggage())
    return span
  }

  #isSampled(parent: Span | TraceContext | undefined): boolean {
    if (this.isSuppressed()) return false
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
