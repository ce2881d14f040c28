import type { TraceIds } from '../ids/trace-context/trace-ids.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import { ContextTracing } from './context/context-tracing.ts'
import {
  type ApiSpanOptions,
  type OpenTelemetryContext,
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  suppressTracingKey,
} from './open-telemetry.ts'
import type { Span, SpanOptions } from './span.ts'
import { NonRecordingSpan } from './spans/non-recording-span.ts'
import { invalidSpan } from './spans/remote-span.ts'
import type { HeadSampler } from './trace-sampler.ts'
import type { ServerSpanDescription } from './tracing.ts'
import type { TracingControl } from './tracing-control.ts'

/**
 * Continues and starts traces for the sake of their ids, in logs and in requests to other services. Records no spans.
 */
export class IdsOnlyTracing extends ContextTracing {
  readonly clock = undefined
  readonly #sampler: HeadSampler
  readonly #ids: TraceIds

  constructor(control: TracingControl, ids: TraceIds) {
    super(control, undefined)
    this.#sampler = control.sampler
    this.#ids = ids
  }

  startSpan(_name: string, { parent }: SpanOptions = {}): Span {
    const above = this.parentOf(parent)
    const isSampledRoot = above === undefined && !this.isSuppressed() && this.#sampler.isSampled(undefined)
    return new NonRecordingSpan(above, isSampledRoot, this.#ids)
  }

  startApiSpan(
    _scope: OpenTelemetryScope,
    _name: string,
    { root }: ApiSpanOptions,
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan {
    if (context.getValue(suppressTracingKey) === true) return invalidSpan
    const above = root ? undefined : this.parentIn(context)
    const isSampledRoot = above === undefined && this.#sampler.isSampled(undefined)
    return new NonRecordingSpan(above, isSampledRoot, this.#ids).openTelemetry
  }

  startServerSpan<S>(parent: TraceContext | undefined, source: S, description: ServerSpanDescription<S>): Span {
    const isSampled = this.#sampler.isSampled(parent) && !description.isExcluded(source)
    return new NonRecordingSpan(parent, isSampled, this.#ids)
  }
}
