import type {
  BucketsSnapshot,
  DistributionSnapshot,
  Exemplar,
  FunctionTimerSnapshot,
  LongTaskTimerSnapshot,
} from '../../../metrics/snapshot.ts'
import { fields } from './fields.ts'
import type { MetricWriter } from './metric-writer.ts'
import { isNative, NativeHistogram } from './native-histogram.ts'
import { countOf, numberOf, writeExemplar, writeTimestamp } from './shared-messages.ts'

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
