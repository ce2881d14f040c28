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
  readonly #spanOffsets: number[] = []
  readonly #spanLengths: number[] = []
  #spans = 0
  #buckets = 0

  write(out: ProtobufWriter, { scale, zeroCount, offset, counts }: ExponentialSnapshot): void {
    this.#collect(offset, counts)
    out.sint64(fields.histogram.schema, scale)
    // Its zero bucket has the zeros alone, so its threshold is 0, the default.
    if (zeroCount > 0) out.varint(fields.histogram.zeroCount, zeroCount)
    for (let index = 0; index < this.#spans; index++) {
      this.#writeSpan(out, this.#spanOffsets[index] as number, this.#spanLengths[index] as number)
    }
    // Without any span it would be a classic histogram.
    if (this.#spans === 0) this.#writeSpan(out, 0, 0)
    if (this.#buckets > 0) out.packedSint64(fields.histogram.positiveDelta, this.#deltas, this.#buckets)
  }

  #writeSpan(out: ProtobufWriter, offset: number, length: number): void {
    const span = out.begin(fields.histogram.positiveSpan)
    out.sint64(fields.bucketSpan.offset, offset)
    out.varint(fields.bucketSpan.length, length)
    out.end(span)
  }

  /** Bucket `i` of OTLP is bucket `i + 1` of Prometheus, which numbers them by their upper bounds. */
  #collect(offset: number, counts: readonly number[]): void {
    this.#spans = 0
    this.#buckets = 0
    /** The index in `counts` behind the last bucket of the last span. */
    let end = 0
    let previous = 0
    for (let index = 0; index < counts.length; index++) {
      const count = counts[index] as number
      if (count === 0) continue
      if (this.#spans === 0) this.#beginSpan(index + offset + 1)
      else if (index - end > maxEmptyBuckets) this.#beginSpan(index - end)
      else {
        for (; end < index; end++) {
          this.#addBucket(-previous)
          previous = 0
        }
      }
      this.#addBucket(count - previous)
      previous = count
      end = index + 1
    }
  }

  #beginSpan(offset: number): void {
    this.#spanOffsets[this.#spans] = offset
    this.#spanLengths[this.#spans] = 0
    this.#spans += 1
  }

  #addBucket(delta: number): void {
    this.#deltas[this.#buckets] = delta
    this.#buckets += 1
    this.#spanLengths[this.#spans - 1] = (this.#spanLengths[this.#spans - 1] as number) + 1
  }
}
