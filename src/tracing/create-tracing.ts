import type { RandomSource } from '../ids/random.ts'
import {
  type OpenTelemetryContextManager,
  type OpenTelemetryTracer,
  registeredContextManager,
} from './open-telemetry.ts'
import { ProcessTracing } from './process-tracing.ts'
import type { Tracing } from './tracing.ts'

export interface TracingOptions {
  /**
   * The share of new traces that are sampled, from 0 to 1; a trace that a caller began is sampled when the caller says so.
   * Where the application has an OpenTelemetry SDK of its own, its sampler decides, after this where this is given. @default 1
   */
  readonly probability?: number | undefined
  /** @default node:crypto */
  readonly random?: RandomSource | undefined
}

/**
 * A tracing that needs nothing: it continues and begins traces, makes ids when somebody asks for them, and records nothing;
 * unless the application has registered an OpenTelemetry SDK, whose tracer and context it then uses, and never ends.
 */
export function createTracing({ probability, random }: TracingOptions = {}): Tracing {
  return new ProcessTracing({ probability, random, tracer: undefined, contextManager: undefined })
}

export interface OpenTelemetryTracingOptions extends TracingOptions {
  readonly tracer: OpenTelemetryTracer
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
 * const uninstall = installTracing(createOpenTelemetryTracing({ tracer, probability }))
 * ```
 */
export function createOpenTelemetryTracing({
  tracer,
  probability = 1,
  contextManager = registeredContextManager(),
  random,
}: OpenTelemetryTracingOptions): Tracing {
  return new ProcessTracing({ tracer, probability, contextManager, random })
}
