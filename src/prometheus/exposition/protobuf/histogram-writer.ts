import type { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type {
  BucketsSnapshot,
  DistributionSnapshot,
  Exemplar,
  ExponentialSnapshot,
  FunctionTimerSnapshot,
  LongTaskTimerSnapshot,
} from '../../../metrics/snapshot.ts'
import { countOf, fields, type MetricWriter, numberOf, writeExemplar, writeTimestamp } from './messages.ts'

type Exemplars = readonly (Exemplar | undefined)[] | undefined

/** Writes the message `Histogram` of a series: its classic buckets, and its exponential ones as a native histogram. */
export class HistogramWriter {
  readonly #out: MetricWriter
  readonly #native = new NativeHistogram()

  constructor(out: MetricWriter) {
    this.#out = out
  }

  write(snapshot: DistributionSnapshot | FunctionTimerSnapshot): void {
    const out = this.#out
    const histogram = out.begin(fields.metric.histogram, 2)
    if (snapshot.kind === 'functionTimer') this.#writeTotals(countOf(snapshot.count), snapshot.total)
    else this.#writeDistribution(snapshot)
    writeTimestamp(out, fields.histogram.createdTimestamp, snapshot.created)
    out.end(histogram, 2)
  }

  /** Returns the number of tasks in all buckets. */
  writeTasks({ activeTasks, duration, buckets }: LongTaskTimerSnapshot): number {
    const out = this.#out
    const count = buckets === undefined ? activeTasks : sumOf(buckets.counts)
    const histogram = out.begin(fields.metric.histogram)
    this.#writeTotals(countOf(count), duration)
    if (buckets !== undefined) this.#writeBuckets(buckets, undefined)
    out.end(histogram)
    return count
  }

  #writeDistribution({ count, total, buckets, exponential, exemplars }: DistributionSnapshot): void {
    const out = this.#out
    const ofBuckets = buckets === undefined ? countOf(count) : sumOf(buckets.counts)
    this.#writeTotals(ofBuckets, total)
    if (buckets !== undefined) this.#writeBuckets(buckets, exemplars)
    if (!isNative(exponential, ofBuckets)) return
    this.#native.write(out, exponential)
    // With classic buckets, Prometheus takes the exemplars of these.
    if (buckets === undefined && exemplars !== undefined) {
      for (const exemplar of exemplars) writeExemplar(out, fields.histogram.exemplars, exemplar)
    }
  }

  #writeTotals(count: number, sum: number): void {
    this.#out.varint(fields.histogram.sampleCount, count)
    this.#out.double(fields.histogram.sampleSum, numberOf(sum))
  }

  /** The bucket `+Inf` has as many measurements as the histogram, so it is written for its exemplar only. */
  #writeBuckets(buckets: BucketsSnapshot, exemplars: Exemplars): void {
    if (exemplars === undefined) {
      this.#out.buckets(buckets)
      return
    }
    const { bounds, counts } = buckets
    let total = 0
    for (let index = 0; index <= bounds.length; index++) {
      total += counts[index] ?? 0
      const exemplar = exemplars[index]
      if (index < bounds.length || exemplar !== undefined) {
        this.#writeBucket(total, bounds[index] ?? Number.POSITIVE_INFINITY, exemplar)
      }
    }
  }

  #writeBucket(total: number, bound: number, exemplar: Exemplar | undefined): void {
    const out = this.#out
    const bucket = out.begin(fields.histogram.bucket)
    out.varint(fields.bucket.cumulativeCount, countOf(total))
    out.double(fields.bucket.upperBound, bound)
    writeExemplar(out, fields.bucket.exemplar, exemplar)
    out.end(bucket)
  }
}

function sumOf(counts: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < counts.length; index++) sum += counts[index] as number
  return sum
}

/** The schemas that Prometheus knows: 2^schema buckets per power of two. */
const minSchema = -4
const maxSchema = 8

/** So many empty buckets between two others are written: a byte each, while a further span takes six. */
const maxEmptyBuckets = 5

/**
 * Whether a native histogram can be written: Prometheus refuses the whole scrape if a schema is unknown to it, or if
 * the buckets have not as many measurements as the histogram.
 */
function isNative(exponential: ExponentialSnapshot | undefined, count: number): exponential is ExponentialSnapshot {
  if (exponential === undefined) return false
  const { scale, zeroCount, counts } = exponential
  if (!(scale >= minSchema && scale <= maxSchema)) return false
  let sum = zeroCount
  for (let index = 0; index < counts.length; index++) sum += counts[index] as number
  return sum === count
}

/** Writes the fields of `Histogram` that make it a native histogram. */
class NativeHistogram {
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
