import type { TraceIds } from '../ids/trace-context/trace-ids.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import { ContextTracing } from './context/context-tracing.ts'
import type { Span, SpanOptions } from './span.ts'
import { NonRecordingSpan } from './spans/non-recording-span.ts'
import type { HeadSampler } from './trace-sampler.ts'
import type { ServerSpanDescription } from './tracing.ts'

/**
 * Continues and starts traces for the sake of their ids, in logs and in requests to other services. Records no spans.
 */
export class IdsOnlyTracing extends ContextTracing {
  readonly clock = undefined
  readonly #sampler: HeadSampler
  readonly #ids: TraceIds

  constructor(sampler: HeadSampler, ids: TraceIds) {
    super(undefined)
    this.#sampler = sampler
    this.#ids = ids
  }

  startSpan(_name: string, { parent }: SpanOptions = {}): Span {
    const above = this.parentOf(parent)
    const isSampledRoot = above === undefined && !this.isSuppressed() && this.#sampler.isSampled(undefined)
    return new NonRecordingSpan(above, isSampledRoot, this.#ids)
  }

  startServerSpan<S>(parent: TraceContext | undefined, source: S, description: ServerSpanDescription<S>): Span {
    const isSampled = this.#sampler.isSampled(parent) && !description.isExcluded(source)
    return new NonRecordingSpan(parent, isSampled, this.#ids)
  }
}
