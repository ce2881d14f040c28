import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../base/clock.ts'
import type { RandomSource } from '../../ids/random.ts'
import { createTraceIds, type TraceIds } from '../../ids/trace-context/trace-ids.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import { sharedStorage } from '../current-tracing.ts'
import { HeadSampler } from '../head-sampling.ts'
import {
  type OpenTelemetryContext,
  type OpenTelemetryContextManager,
  type OpenTelemetrySpan,
  type OpenTelemetrySpanOptions,
  type OpenTelemetryTracer,
  registeredContextManager,
  registeredTracer,
  spanKey,
  spanKinds,
  suppressTracingKey,
} from '../open-telemetry.ts'
import { sampledRoot } from '../sampler.ts'
import type { Span, SpanOptions } from '../span.ts'
import { adoptedSpan } from '../spans/adopted-span.ts'
import { NativeSpan } from '../spans/native-span.ts'
import type { NativeSpanView } from '../spans/native-span-view.ts'
import { contextOf, isSampled, NonRecordingSpan } from '../spans/non-recording-span.ts'
import { SilentSpan, toSpanContext } from '../spans/remote-span.ts'
import { SdkSpan } from '../spans/sdk-span.ts'
import type { SpanRecorder } from '../spans/span-recorder.ts'
import type { ServerSpanDescription, Tracing } from '../tracing.ts'
import { type BridgedSpan, bridged, ContextWithSpan, EnteredContext, rootContext, spanOfContext } from './context.ts'
import { isOwnManager } from './context-manager.ts'
import { runIsolated } from './enclosed.ts'

export interface ProcessTracingOptions {
  /** `undefined` where the sampler of the application's SDK decides alone. */
  readonly probability: number | undefined
  /** `undefined` where it is looked for in what the application has registered. */
  readonly tracer: OpenTelemetryTracer | undefined
  readonly contextManager: OpenTelemetryContextManager | undefined
  readonly random: RandomSource | undefined
  /** Where there is one, spans are made here and not by the tracer. */
  readonly recorder: SpanRecorder | undefined
}

/** Traces by a tracer of OpenTelemetry's; as long as there is none, by ids alone. */
export class ContextTracing implements Tracing {
  readonly storage: AsyncLocalStorage<unknown> = sharedStorage()
  readonly #sampling: HeadSampler
  readonly #ids: TraceIds
  readonly #recorder: SpanRecorder | undefined
  /** Ours by way of OpenTelemetry's spans, so that one of those is one of ours. */
  readonly #spans = new WeakMap<OpenTelemetrySpan, BridgedSpan>()
  #tracer: OpenTelemetryTracer | undefined
  /** The application's own, where OpenTelemetry's contexts are not in our storage. */
  #manager: OpenTelemetryContextManager | undefined
  readonly #isForeign: boolean

  constructor({ probability, tracer, contextManager, random, recorder }: ProcessTracingOptions) {
    this.#sampling = new HeadSampler(probability, random)
    this.#ids = createTraceIds(random === undefined ? {} : { random })
    this.#recorder = recorder
    this.#tracer = tracer
    this.#manager = contextManager !== undefined && isOwnManager(contextManager) ? undefined : contextManager
    this.#isForeign = tracer === undefined
  }

  startSpan(name: string, { kind = 'internal', attributes, parent, links }: SpanOptions = {}): Span {
    const above = parent === 'root' ? undefined : (parent ?? this.activeSpan())
    const isSampled = this.#isToBeSampled(above)
    if (this.#findTracer() === undefined || !isSampled) return new NonRecordingSpan(above, isSampled, this.#ids)
    if (this.#recorder !== undefined) {
      const span = new NativeSpan(this.#recorder, name, spanKinds[kind], attributes, above)
      for (const link of links ?? []) span.addLink(toSpanContext(link, true))
      return span
    }
    const options: OpenTelemetrySpanOptions = {
      kind: spanKinds[kind],
      ...(attributes !== undefined && { attributes }),
      ...(links !== undefined && { links: links.map((link) => ({ context: toSpanContext(link, true) })) }),
    }
    return this.#start(name, options, above)
  }

  startServerSpan<S>(
    parent: TraceContext | undefined,
    source: S,
    description: ServerSpanDescription<S>,
    startedAt?: number,
  ): Span {
    const tracer = this.#findTracer()
    const isSampled = this.#sampling.isSampled(parent)
    if ((!isSampled && !this.#isForeign) || description.isExcluded(source)) {
      return new NonRecordingSpan(parent, false, this.#ids)
    }
    if (tracer === undefined) return new NonRecordingSpan(parent, isSampled, this.#ids)
    if (this.#isForeign) {
      if (this.isSuppressed()) return new NonRecordingSpan(parent, false, this.#ids)
      const adopted = adoptedSpan(this.#active())
      if (adopted !== undefined) return adopted
    }
    if (!isSampled) return new NonRecordingSpan(parent, false, this.#ids)
    const name = description.name(source)
    const attributes = description.attributes(source)
    return this.#recorder === undefined
      ? this.#start(name, { kind: spanKinds.server, attributes: attributes.compute() }, parent)
      : new NativeSpan(this.#recorder, name, spanKinds.server, attributes, parent, startedAt)
  }

  get clock(): Clock | undefined {
    return this.#recorder?.clock
  }

  activeSpan(): Span | undefined {
    const active = this.#active()
    return active === undefined ? undefined : this.#spanIn(active)
  }

  run<T>(span: Span, fn: () => T): T {
    const manager = this.#manager
    if (manager === undefined) return this.storage.run(this.contextWith(span), fn)
    return manager.with(new ContextWithSpan(manager.active(), bridged(span)), fn)
  }

  runRequest<T>(span: Span, fn: () => T): T {
    return this.#manager === undefined ? runIsolated(this.storage, this.contextWith(span), fn) : this.run(span, fn)
  }

  contextWith(span: Span): unknown {
    if (this.#manager !== undefined) return new EnteredContext(this.#manager.active(), bridged(span))
    return new ContextWithSpan(this.#active() ?? rootContext, bridged(span))
  }

  isSuppressed(): boolean {
    return this.#active()?.getValue(suppressTracingKey) === true
  }

  #active(): OpenTelemetryContext | undefined {
    // Tracings keep nothing else in it than contexts.
    const own = this.storage.getStore() as OpenTelemetryContext | undefined
    // With an SDK of the application's its manager is found; what began before there was one ends without it.
    if (own === undefined && this.#tracer === undefined) this.#findTracer()
    if (this.#manager === undefined) return own
    const theirs = this.#manager.active()
    // Of the two the inner one counts: ours, unless theirs has changed since ours was made.
    return own instanceof EnteredContext && own.wasEnteredIn(theirs) ? own : theirs
  }

  #spanIn(context: OpenTelemetryContext): BridgedSpan | undefined {
    const scoped = spanOfContext(context)
    if (scoped !== undefined) return scoped
    const span = context.getValue(spanKey) as OpenTelemetrySpan | undefined
    if (span === undefined) return undefined
    const own = (span as Partial<NativeSpanView | SilentSpan>).of
    if (own !== undefined && 'openTelemetry' in own) return own
    const known = this.#spans.get(span) ?? new SdkSpan(span, 0)
    this.#spans.set(span, known)
    return known
  }

  #isToBeSampled(above: Span | TraceContext | undefined): boolean {
    if (this.isSuppressed()) return false
    if (above === undefined || !('context' in above)) return this.#sampling.isSampled(above)
    if (above instanceof NonRecordingSpan) return false
    return this.#recorder === undefined || isSampled(above)
  }

  #start(name: string, options: OpenTelemetrySpanOptions, parent: Span | TraceContext | undefined): Span {
    try {
      const span = this.#tracer?.startSpan(name, options, this.#contextFor(parent))
      // A provider that was shut down answers spans without ids.
      if (span !== undefined && (span.isRecording() || !/^0+$/.test(span.spanContext().traceId))) {
        const recorded = new SdkSpan(span, parent === undefined ? 0 : contextOf(parent).flags)
        this.#spans.set(span, recorded)
        return recorded
      }
    } catch {
      // A sampler or a processor of the application's that throws must not cost what is traced.
    }
    return new NonRecordingSpan(parent, false, this.#ids)
  }

  #contextFor(parent: Span | TraceContext | undefined): OpenTelemetryContext {
    const around = this.#active() ?? rootContext
    if (parent === undefined) return sampledRoot
    return 'context' in parent
      ? new ContextWithSpan(around, bridged(parent))
      : rootContext.setValue(spanKey, new SilentSpan(parent))
  }

  #findTracer(): OpenTelemetryTracer | undefined {
    if (this.#tracer !== undefined) return this.#tracer
    this.#tracer = registeredTracer()
    if (this.#tracer === undefined) return undefined
    const manager = registeredContextManager()
    this.#manager = manager === undefined || isOwnManager(manager) ? undefined : manager
    return this.#tracer
  }
}
