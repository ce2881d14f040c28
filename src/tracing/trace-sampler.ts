import { type RandomSource, type RandomWords, randomWords } from '../ids/random.ts'
import { sampledFlag, type TraceContext } from '../ids/trace-context/traceparent.ts'
import { type OpenTelemetryContext, type OpenTelemetrySpan, spanKey } from './open-telemetry.ts'

/**
 * Decides whether a trace is sampled before a span is created: as the caller has decided, and for a new trace by
 * chance.
 */
export class HeadSampler {
  /** The configured share of new traces; `undefined` if all are sampled, for the sampler of the application's SDK. */
  readonly configured: number | undefined
  /** The share that is used. */
  probability: number | undefined
  readonly #words: RandomWords
  readonly #followsCaller: boolean

  /**
   * Without a `probability` everything is sampled: the decision is left to the sampler of the application's SDK. If it
   * does not follow callers, the trace id decides, as in OpenTelemetry's `TraceIdRatioBased`.
   */
  constructor(probability: number | undefined, random: RandomSource | undefined, followsCaller = true) {
    this.configured = probability
    this.probability = probability
    this.#words = randomWords(random)
    this.#followsCaller = followsCaller
  }

  isSampled(parent: TraceContext | undefined): boolean {
    if (parent !== undefined && this.#followsCaller) {
      return this.configured === undefined || (parent.flags & sampledFlag) === sampledFlag
    }
    const { probability = 1 } = this
    if (probability <= 0) return false
    if (probability >= 1) return true
    const word = parent === undefined ? this.#words.next() >>> 0 : Number.parseInt(parent.traceId.slice(-8), 16)
    return word / 0x1_0000_0000 < probability
  }

  /** Returns the context of a caller with this decision in its flags, in place of the caller's own. */
  decide(parent: TraceContext | undefined, isSampled: boolean): TraceContext | undefined {
    if (this.#followsCaller || parent === undefined) return parent
    return { ...parent, flags: isSampled ? parent.flags | sampledFlag : parent.flags & ~sampledFlag }
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
