import type { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type { ExponentialSnapshot } from '../../../metrics/snapshot.ts'
import { fields } from './fields.ts'

/** The schemas that Prometheus knows: 2^schema buckets per power of two. */
const minSchema = -4
const maxSchema = 8

/** So many empty buckets between two others are written: a byte each, while a further span takes six. */
const maxEmptyBuckets = 5

/**
 * Whether a native histogram can be written: Prometheus refuses the whole scrape if a schema is unknown to it, or if
 * the buckets have not as many measurements as the histogram.
 */
export function isNative(
  exponential: ExponentialSnapshot | undefined,
  count: number,
): exponential is ExponentialSnapshot {
  if (exponential === undefined) return false
  const { scale, zeroCount, counts } = exponential
  if (!(scale >= minSchema && scale <= maxSchema)) return false
  let sum = zeroCount
  for (let index = 0; index < counts.length; index++) sum += counts[index] as number
  return sum === count
}

/** Writes the fields of `Histogram` that make it a native histogram. */
export class NativeHistogram {
  readonly #deltas: number[] = []
  /** The offset and the length of each span. */
  readonly #spans: number[] = []

  write(out: ProtobufWriter, { scale, zeroCount, offset, counts }: ExponentialSnapshot): void {
    const spans = this.#spans
    spans.length = 0
    const buckets = collect(offset, counts, spans, this.#deltas)
    out.sint64(fields.histogram.schema, scale)
    // Its zero bucket has the zeros alone, so its threshold is 0, the default.
    if (zeroCount > 0) out.varint(fields.histogram.zeroCount, zeroCount)
    // Without any span it would be a classic histogram.
    if (buckets === 0) spans.push(0, 0)
    for (let index = 0; index < spans.length; index += 2) {
      const span = out.begin(fields.histogram.positiveSpan)
      out.sint64(fields.bucketSpan.offset, spans[index] as number)
      out.varint(fields.bucketSpan.length, spans[index + 1] as number)
      out.end(span)
    }
    if (buckets > 0) out.packedSint64(fields.histogram.positiveDelta, this.#deltas, buckets)
  }
}

/**
 * Collects the offset and length of each span, and the difference of each bucket to the one before. Returns the number
 * of buckets. Bucket `i` of OTLP is bucket `i + 1` of Prometheus, which numbers them by their upper bounds.
 */
function collect(offset: number, counts: readonly number[], spans: number[], deltas: number[]): number {
  let buckets = 0
  let previous = 0
  /** The number of buckets before the current span. */
  let before = 0
  /** The index in `counts` behind the last bucket of the last span. */
  let end = 0
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index] as number
    if (count === 0) continue
    const isFirst = buckets === 0
    if (isFirst || index - end > maxEmptyBuckets) {
      if (!isFirst) spans.push(buckets - before)
      spans.push(isFirst ? index + offset + 1 : index - end)
      before = buckets
    } else {
      for (; end < index; end++) {
        deltas[buckets++] = -previous
        previous = 0
      }
    }
    deltas[buckets++] = count - previous
    previous = count
    end = index + 1
  }
  if (buckets > 0) spans.push(buckets - before)
  return buckets
}
