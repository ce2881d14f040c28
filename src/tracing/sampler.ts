import { sampledFlag } from '../ids/trace-context/traceparent.ts'
import { rootContext } from './context/context.ts'
import { type OpenTelemetryContext, type OpenTelemetrySpan, spanKey } from './open-telemetry.ts'

const sampledKey = Symbol.for('upkeep.sampled')

/** The context of a root of which it is decided already that it is sampled. */
export const sampledRoot: OpenTelemetryContext = rootContext.setValue(sampledKey, true)

/** `SamplingDecision` of OpenTelemetry. */
const notRecord = 0
const recordAndSampled = 2

/** A `Sampler` of OpenTelemetry's, met by shape. */
export interface OpenTelemetrySampler {
  shouldSample(context: OpenTelemetryContext, traceId: string): { readonly decision: 0 | 2 }
  toString(): string
}

/**
 * The sampler for a provider whose tracer is given to `createOpenTelemetryTracing`: a child as its parent, a root as the
 * tracing has decided before it started the span, and any other root, which the application starts by OpenTelemetry's
 * API, with the same probability, by its trace id.
 */
export function createOpenTelemetrySampler(probability: number): OpenTelemetrySampler {
  const bound = Math.min(Math.max(probability, 0), 1) * 0x1_0000_0000
  return {
    shouldSample(context, traceId) {
      const parent = (context.getValue(spanKey) as OpenTelemetrySpan | undefined)?.spanContext()
      const isSampled =
        parent !== undefined && parent.traceId === traceId
          ? (parent.traceFlags & sampledFlag) === sampledFlag
          : context.getValue(sampledKey) === true || Number.parseInt(traceId.slice(-8), 16) < bound
      return { decision: isSampled ? recordAndSampled : notRecord }
    },
    toString: () => `Upkeep{${probability}}`,
  }
}
