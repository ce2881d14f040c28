import { requireKnownOptions } from '../../base/known-options.ts'
import { formatSpanId, formatTraceId } from '../format-ids.ts'
import { type RandomSource, randomWords } from '../random.ts'

/** Creates ids of traces and spans. All bits are random, so that a trace may have the `randomFlag`. */
export interface TraceIds {
  /** Creates 32 lower-case hexadecimal digits, not all zeros. */
  traceId(): string
  /** Creates 16 lower-case hexadecimal digits, not all zeros. */
  spanId(): string
}

/** Options of `createTraceIds`. */
export interface TraceIdsOptions {
  /** @default node:crypto */
  readonly random?: RandomSource
}

/** Returns a generator of trace and span ids. W3C Trace Context Level 2 §3.2.2.3 and §3.2.2.4. */
export function createTraceIds(options: TraceIdsOptions = {}): TraceIds {
  requireKnownOptions('createTraceIds', options, ['random'], { foreignNames: { rng: 'random' } })
  const { random } = options
  const words = randomWords(random)
  return {
    traceId: () => formatTraceId(words.next(), words.next(), words.next(), words.next()),
    spanId: () => formatSpanId(words.next(), words.next()),
  }
}
