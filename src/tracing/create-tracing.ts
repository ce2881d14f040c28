import { type Clock, systemClock } from '../base/clock.ts'
import type { RandomSource } from '../ids/random.ts'
import { createTraceIds } from '../ids/trace-context/trace-ids.ts'
import { ContextTracing } from './context/context-tracing.ts'
import {
  type OpenTelemetryContextManager,
  type OpenTelemetryTracer,
  registeredContextManager,
} from './open-telemetry.ts'
import { SpanRecorder, type SpanRecorderOptions } from './spans/span-recorder.ts'
import type { Tracing } from './tracing.ts'

export interface CreateTracingOptions {
  /**
   * The share of new traces that are sampled, from 0 to 1; one that a caller began is sampled when the caller says so.
   * @default 1, or what the sampler of the application's own OpenTelemetry SDK says
   */
  readonly probability?: number | undefined
  /** @default node:crypto */
  readonly random?: RandomSource | undefined
}

/**
 * A tracing that needs nothing: it continues and begins traces, makes ids when somebody asks for them, and records nothing;
 * unless the application has registered an OpenTelemetry SDK, whose tracer and context it then uses, and never ends.
 */
export function createTracing({ probability, random }: CreateTracingOptions = {}): Tracing {
  return new ContextTracing({ probability, random, tracer: undefined, contextManager: undefined, recorder: undefined })
}

export interface NativeTracingOptions extends CreateTracingOptions {
  readonly tracer: OpenTelemetryTracer
  /**
   * Where the spans go that upkeep starts. With it they are made without the SDK, at a fraction of its cost, and `tracer` makes
   * none; spans that the application starts by OpenTelemetry's API are the SDK's. @default those of `tracer`
   */
  readonly recorder?: SpanRecorderOptions | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
  /** @default the one that is registered with OpenTelemetry's API; without any, that of `createContextManager` */
  readonly contextManager?: OpenTelemetryContextManager | undefined
}

/**
 * A tracing over a tracer of one's own provider, whose sampler is that of `createTraceSampler` with the same probability.
 * For who sets OpenTelemetry up:
 *
 * ```ts
 * // False where the application has a manager already: that one is then used, by its `with` alone.
 * context.setGlobalContextManager(createContextManager())
 * const tracer = provider.getTracer('upkeep')
 * const uninstall = installTracing(
 *   createOpenTelemetryTracing({ tracer, probability, recorder: { processor, resource } }),
 * )
 * ```
 */
export function createNativeTracing({
  tracer,
  probability = 1,
  contextManager = registeredContextManager(),
  recorder,
  random,
  clock = systemClock,
}: NativeTracingOptions): Tracing {
  const own =
    recorder === undefined
      ? undefined
      : new SpanRecorder(recorder, createTraceIds({ ...(random !== undefined && { random }) }), clock)
  return new ContextTracing({ tracer, probability, contextManager, random, recorder: own })
}
