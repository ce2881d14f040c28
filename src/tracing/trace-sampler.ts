import { type RandomSource, type RandomWords, randomWords } from '../ids/random.ts'
import { sampledFlag, type TraceContext } from '../ids/trace-context/traceparent.ts'
import { type OpenTelemetryContext, type OpenTelemetrySpan, spanKey } from './open-telemetry.ts'

/**
 * Decides whether a trace is sampled before a span is created: as the caller has decided, and for a new trace by
 * chance.
 */
export class HeadSampler {
  readonly #probability: number | undefined
  readonly #words: RandomWords

  /** Without a `probability` everything is sampled: the decision is left to the sampler of the application's SDK. */
  constructor(probability: number | undefined, random: RandomSource | undefined) {
    this.#probability = probability
    this.#words = randomWords(random)
  }

  isSampled(parent: TraceContext | undefined): boolean {
    const probability = this.#probability ?? 1
    if (parent !== undefined) return this.#probability === undefined || (parent.flags & sampledFlag) === sampledFlag
    if (probability <= 0) return false
    return probability >= 1 || (this.#words.next() >>> 0) / 0x1_0000_0000 < probability
  }
}

/** `SamplingDecision` of OpenTelemetry. */
const notRecord = 0
const recordAndSampled = 2

/** OpenTelemetry's `Sampler`, matched by shape. */
interface OpenTelemetrySampler {
  shouldSample(context: OpenTelemetryContext, traceId: string): { readonly decision: 0 | 2 }
  toString(): string
}

/**
 * Creates the sampler of the provider behind a native tracing, for spans that the application starts through
 * OpenTelemetry's API. A child is sampled if its parent is, a root with the given probability, decided by its trace id.
 */
export function createOpenTelemetrySampler(probability: number): OpenTelemetrySampler {
  const bound = Math.min(Math.max(probability, 0), 1) * 0x1_0000_0000
  return {
    shouldSample(context, traceId) {
      const parent = (context.getValue(spanKey) as OpenTelemetrySpan | undefined)?.spanContext()
      const isSampled =
        parent !== undefined && parent.traceId === traceId
          ? (parent.traceFlags & sampledFlag) === sampledFlag
          : Number.parseInt(traceId.slice(-8), 16) < bound
      return { decision: isSampled ? recordAndSampled : notRecord }
    },
    toString: () => `Upkeep{${probability}}`,
  }
}
