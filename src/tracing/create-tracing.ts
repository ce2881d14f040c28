import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Clock, systemClock } from '../base/clock.ts'
import type { RandomSource } from '../ids/random.ts'
import { createTraceIds, type TraceIds } from '../ids/trace-context/trace-ids.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import type { Baggage } from './context/context-baggage.ts'
import { sharedStorage } from './current-tracing.ts'
import type { HeldRequests } from './held/held-requests.ts'
import { IdsOnlyTracing } from './ids-only-tracing.ts'
import { NativeTracing } from './native-tracing.ts'
import {
  type ApiSpanOptions,
  type OpenTelemetryContext,
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  type OpenTelemetryTracer,
  registeredContextManager,
  registeredTracer,
} from './open-telemetry.ts'
import { SdkTracing } from './sdk-tracing.ts'
import type { Span, SpanOptions } from './span.ts'
import { SpanRecorder, type SpanRecorderOptions } from './spans/span-recorder.ts'
import { HeadSampler } from './trace-sampler.ts'
import type { ServerSpanDescription, Tracing } from './tracing.ts'
import { TracingControl } from './tracing-control.ts'

interface CreateTracingOptions {
  /**
   * The share of new traces that are sampled, from 0 to 1. A trace that a caller started is sampled if the caller's is.
   * @default 1, or as the sampler of the application's OpenTelemetry SDK decides
   */
  readonly probability?: number | undefined
  /** @default node:crypto */
  readonly random?: RandomSource | undefined
}

export interface NativeTracingOptions extends CreateTracingOptions {
  readonly recorder: SpanRecorderOptions
  /** Whether a trace that a caller started is sampled if the caller's is. @default true */
  readonly followsCaller?: boolean | undefined
  /** Holds the spans of requests that are not sampled, while it has a rule. @default none are held */
  readonly held?: HeldRequests | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** Creates a tracing that records spans itself, and passes them to a processor of OpenTelemetry's. */
export function createNativeTracing({
  recorder,
  probability = 1,
  random,
  followsCaller,
  held,
  clock = systemClock,
}: NativeTracingOptions): Tracing {
  const control = new TracingControl(new HeadSampler(probability, random, followsCaller), held)
  return new NativeTracing(control, new SpanRecorder(recorder, createIds(random), clock), registeredContextManager())
}

/**
 * Creates a tracing that uses the OpenTelemetry SDK that the application has registered, or registers later. Without
 * one it continues and starts traces, but records no spans.
 */
export function createTracing({ probability, random }: CreateTracingOptions = {}): Tracing {
  return new DetectingTracing(new TracingControl(new HeadSampler(probability, random), undefined), createIds(random))
}

/** Creates a tracing whose spans a tracer of OpenTelemetry's SDK starts and samples. */
export function createSdkTracing(tracer: OpenTelemetryTracer): Tracing {
  const control = new TracingControl(new HeadSampler(undefined, undefined), undefined)
  return new SdkTracing(tracer, registeredContextManager(), control, createIds(undefined))
}

function createIds(random: RandomSource | undefined): TraceIds {
  return createTraceIds(random === undefined ? {} : { random })
}

/**
 * Traces with ids only until the application has registered an SDK, and with that SDK from then on. It looks for one
 * when a span is started and where no span is active; a log record inside a trace does not pay for that.
 */
class DetectingTracing implements Tracing {
  readonly storage: AsyncLocalStorage<unknown> = sharedStorage()
  readonly clock = undefined
  readonly control: TracingControl
  readonly #ids: TraceIds
  #tracing: IdsOnlyTracing | SdkTracing
  #hasSdk = false

  constructor(control: TracingControl, ids: TraceIds) {
    this.control = control
    this.#ids = ids
    this.#tracing = new IdsOnlyTracing(control, ids)
  }

  get ownsContexts(): boolean {
    return this.#tracing.ownsContexts
  }

  startSpan(name: string, options?: SpanOptions): Span {
    this.#detectSdk()
    return this.#tracing.startSpan(name, options)
  }

  startServerSpan<S>(parent: TraceContext | undefined, source: S, description: ServerSpanDescription<S>): Span {
    this.#detectSdk()
    return this.#tracing.startServerSpan(parent, source, description)
  }

  startApiSpan(
    scope: OpenTelemetryScope,
    name: string,
    options: ApiSpanOptions,
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan {
    this.#detectSdk()
    return this.#tracing.startApiSpan(scope, name, options, context)
  }

  activeSpan(): Span | undefined {
    const span = this.#tracing.activeSpan()
    return span === undefined && this.#detectSdk() ? this.#tracing.activeSpan() : span
  }

  run<T>(span: Span, fn: () => T, baggage?: Baggage): T {
    return this.#tracing.run(span, fn, baggage)
  }

  runRequest<T>(span: Span, fn: () => T, baggage?: Baggage): T {
    return this.#tracing.runRequest(span, fn, baggage)
  }

  enterRequest(span: Span, baggage?: Baggage): void {
    this.#tracing.enterRequest(span, baggage)
  }

  leaveRequest(): void {
    this.#tracing.leaveRequest()
  }

  activeBaggage(): Baggage | undefined {
    return this.#tracing.activeBaggage()
  }

  runWithBaggage<T>(baggage: Baggage, fn: () => T): T {
    return this.#tracing.runWithBaggage(baggage, fn)
  }

  contextWith(span: Span): unknown {
    return this.#tracing.contextWith(span)
  }

  isSuppressed(): boolean {
    const isOutside = !this.#hasSdk && this.storage.getStore() === undefined
    if (isOutside && !this.#detectSdk()) return false
    return this.#tracing.isSuppressed()
  }

  /** Switches to the application's SDK if there is one by now. Returns whether it has switched in this call. */
  #detectSdk(): boolean {
    if (this.#hasSdk) return false
    const tracer = registeredTracer()
    if (tracer === undefined) return false
    this.#hasSdk = true
    this.#tracing = new SdkTracing(tracer, registeredContextManager(), this.control, this.#ids)
    return true
  }
}
