import { digitCode } from '../hex.ts'
import { type RandomSource, randomWords } from '../random.ts'

/** Makes ids of traces and of spans. All bits of them are random, so that a trace may carry `randomFlag`. */
export interface TraceIds {
  /** 32 lower-case hexadecimal digits, not all zeros. */
  traceId(): string
  /** 16 lower-case hexadecimal digits, not all zeros. */
  spanId(): string
}

export interface TraceIdsOptions {
  /** @default node:crypto */
  readonly random?: RandomSource
}

/** A maker of trace and span ids. W3C Trace Context Level 2 §3.2.2.3 and §3.2.2.4. */
export function createTraceIds({ random }: TraceIdsOptions = {}): TraceIds {
  const words = randomWords(random)
  return {
    traceId: () => formatTraceId(words.next(), words.next(), words.next(), words.next()),
    spanId: () => formatSpanId(words.next(), words.next()),
  }
}

function formatTraceId(first: number, second: number, third: number, fourth: number): string {
  const last = (first | second | third | fourth) === 0 ? 1 : fourth
  return String.fromCharCode(
    digitCode(first >>> 28),
    digitCode(first >>> 24),
    digitCode(first >>> 20),
    digitCode(first >>> 16),
    digitCode(first >>> 12),
    digitCode(first >>> 8),
    digitCode(first >>> 4),
    digitCode(first),
    digitCode(second >>> 28),
    digitCode(second >>> 24),
    digitCode(second >>> 20),
    digitCode(second >>> 16),
    digitCode(second >>> 12),
    digitCode(second >>> 8),
    digitCode(second >>> 4),
    digitCode(second),
    digitCode(third >>> 28),
    digitCode(third >>> 24),
    digitCode(third >>> 20),
    digitCode(third >>> 16),
    digitCode(third >>> 12),
    digitCode(third >>> 8),
    digitCode(third >>> 4),
    digitCode(third),
    digitCode(last >>> 28),
    digitCode(last >>> 24),
    digitCode(last >>> 20),
    digitCode(last >>> 16),
    digitCode(last >>> 12),
    digitCode(last >>> 8),
    digitCode(last >>> 4),
    digitCode(last),
  )
}

function formatSpanId(first: number, second: number): string {
  const last = (first | second) === 0 ? 1 : second
  return String.fromCharCode(
    digitCode(first >>> 28),
    digitCode(first >>> 24),
    digitCode(first >>> 20),
    digitCode(first >>> 16),
    digitCode(first >>> 12),
    digitCode(first >>> 8),
    digitCode(first >>> 4),
    digitCode(first),
    digitCode(last >>> 28),
    digitCode(last >>> 24),
    digitCode(last >>> 20),
    digitCode(last >>> 16),
    digitCode(last >>> 12),
    digitCode(last >>> 8),
    digitCode(last >>> 4),
    digitCode(last),
  )
}
