import type { Clock } from '../base/clock.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import { ContextTracing } from './context/context-tracing.ts'
import { addBaggageAttributes } from './context/current-baggage.ts'
import { baggageSelection } from './current-tracing.ts'
import type { HeldRequest } from './held/held-request.ts'
import type { HeldRequests } from './held/held-requests.ts'
import { HeldSpan } from './held/held-span.ts'
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
import { acceptedAttributes, type DeferredAttributes, type RecordedAttributes } from './spans/attributes.ts'
import { heldRequestOf, isSampled } from './spans/bridged-span.ts'
import { NativeSpan } from './spans/native-span.ts'
import { addLinks } from './spans/native-span-view.ts'
import { NonRecordingSpan } from './spans/non-recording-span.ts'
import { invalidSpan } from './spans/remote-span.ts'
import { toSpanContext } from './spans/span-context.ts'
import type { SpanRecorder } from './spans/span-recorder.ts'
import type { HeadSampler } from './trace-sampler.ts'
import type { ServerSpanDescription } from './tracing.ts'
import type { TracingControl } from './tracing-control.ts'

/** Records spans itself, and passes them to an OpenTelemetry processor when they end. */
export class NativeTracing extends ContextTracing {
  readonly clock: Clock
  readonly #sampler: HeadSampler
  readonly #recorder: SpanRecorder
  readonly #held: HeldRequests | undefined

  constructor(control: TracingControl, recorder: SpanRecorder, manager: OpenTelemetryContextManager | undefined) {
    super(control, manager)
    this.clock = recorder.clock
    this.#sampler = control.sampler
    this.#held = control.held
    this.#recorder = recorder
  }

  startSpan(name: string, { kind = 'internal', attributes, parent, links, baggage }: SpanOptions = {}): Span {
    const given = this.parentOf(parent)
    const isSuppressed = this.isSuppressed()
    const isSampledSpan = !isSuppressed && this.#isSampled(given)
    const above = this.#decide(given, isSampledSpan)
    const request = isSuppressed ? undefined : this.#requestOf(given)
    if (!isSampledSpan && request === undefined) return new NonRecordingSpan(above, false, this.#recorder.ids)
    const span = record(this.#recorder, name, spanKinds[kind], attributes, above, isSampledSpan, request)
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
    const request = this.#requestOf(parent)
    if (!isSampledSpan && request === undefined) {
      return new NonRecordingSpan(above, false, this.#recorder.ids).openTelemetry
    }
    const spanKind = typeof kind === 'number' ? kind : spanKinds.internal
    const initial = attributes === undefined ? undefined : acceptedAttributes(attributes)
    const span = record(this.#recorder.in(scope), name, spanKind, initial, above, isSampledSpan, request)
    if (startTime !== undefined) span.startAt(startTime)
    addLinks(span, links)
    return span.openTelemetry
  }

  /** Returns the held request of a parent, if there is a rule by which it may be kept. */
  #requestOf(parent: Span | TraceContext | undefined): HeldRequest | undefined {
    if (this.#held?.rule === undefined) return undefined
    const request = heldRequestOf(parent)
    return request?.accepts === true ? request : undefined
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
    const held = this.#held?.rule === undefined ? undefined : this.#held
    if ((!isSampledTrace && held === undefined) || description.isExcluded(source)) {
      return new NonRecordingSpan(above, false, this.#recorder.ids)
    }
    const attributes = description.attributes(source)
    const name = description.name(source)
    return record(this.#recorder, name, spanKinds.server, attributes, above, isSampledTrace, held?.begin(), startedAt)
  }
}

/** Creates a recording span: one that is held, in a request that is. */
function record(
  recorder: SpanRecorder,
  name: string,
  kind: number,
  attributes: RecordedAttributes | DeferredAttributes | undefined,
  parent: Span | TraceContext | undefined,
  isSampledSpan: boolean,
  request: HeldRequest | undefined,
  startedAt?: number,
): NativeSpan {
  return request === undefined
    ? new NativeSpan(recorder, name, kind, attributes, parent, startedAt)
    : new HeldSpan({ request, recorder, name, kind, attributes, parent, isSampled: isSampledSpan, startedAt })
}
