import { varintLength } from '../../../base/protobuf-buffer.ts'
import { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type { BucketsSnapshot, Exemplar } from '../../../metrics/snapshot.ts'
import { exemplarLabels } from '../labels.ts'

/** The numbers of the fields of `io.prometheus.client`, of version 0.6.3 of Prometheus' client_model. */
export const fields = {
  metricFamily: { name: 1, help: 2, type: 3, metric: 4, unit: 5 },
  metric: { label: 1, gauge: 2, counter: 3, summary: 4, untyped: 5, histogram: 7 },
  labelPair: { name: 1, value: 2 },
  /** Of a gauge, a counter and an untyped value. */
  value: 1,
  counter: { exemplar: 2, createdTimestamp: 3 },
  summary: { sampleCount: 1, sampleSum: 2, quantile: 3, createdTimestamp: 4 },
  quantile: { quantile: 1, value: 2 },
  histogram: {
    sampleCount: 1,
    sampleSum: 2,
    bucket: 3,
    schema: 5,
    zeroThreshold: 6,
    zeroCount: 7,
    positiveSpan: 12,
    positiveDelta: 13,
    createdTimestamp: 15,
    exemplars: 16,
  },
  bucket: { cumulativeCount: 1, upperBound: 2, exemplar: 3 },
  bucketSpan: { offset: 1, length: 2 },
  exemplar: { label: 1, value: 2, timestamp: 3 },
  timestamp: { seconds: 1, nanos: 2 },
} as const

/** The enumeration `MetricType`. */
export const metricTypes = { counter: 0, gauge: 1, summary: 2, untyped: 3, histogram: 4, gaugeHistogram: 5 } as const

export function writeLabel(out: ProtobufWriter, field: number, name: string, value: string): void {
  const pair = out.begin(field)
  out.string(fields.labelPair.name, name)
  out.string(fields.labelPair.value, value)
  out.end(pair)
}

/** Writes a time in seconds since 1970-01-01T00:00:00Z, or nothing if it is not known. */
export function writeTimestamp(out: ProtobufWriter, field: number, seconds: number): void {
  if (!Number.isFinite(seconds)) return
  // A double has no more than about a microsecond of today's times.
  const microseconds = Math.round(seconds * 1e6)
  const whole = Math.floor(microseconds / 1e6)
  const timestamp = out.begin(field)
  out.int64(fields.timestamp.seconds, whole)
  const nanos = (microseconds - whole * 1e6) * 1_000
  if (nanos !== 0) out.varint(fields.timestamp.nanos, nanos)
  out.end(timestamp)
}

/** Writes an exemplar, or nothing if it cannot be exported. */
export function writeExemplar(out: ProtobufWriter, field: number, exemplar: Exemplar | undefined): void {
  if (exemplar === undefined) return
  const labels = exemplarLabels(exemplar)
  if (labels.length === 0) return
  const token = out.begin(field)
  for (const [name, value] of labels) writeLabel(out, fields.exemplar.label, name, value)
  out.double(fields.exemplar.value, numberOf(exemplar.value))
  writeTimestamp(out, fields.exemplar.timestamp, exemplar.timestamp)
  out.end(token)
}

/** Returns NaN for a value that is not a number, contrary to its type. */
export function numberOf(value: number): number {
  return typeof value === 'number' ? value : Number.NaN
}

/** The greatest double that is a `uint64`. */
const maxCount = 2 ** 64 - 2 ** 11

/** Returns a count as a `uint64`. */
export function countOf(value: number): number {
  return Math.min(Math.floor(value), maxCount)
}

/**
 * A family in pieces of about a megabyte. Each is a complete message `MetricFamily`, which Prometheus reads as if they
 * were one: the length of a message precedes it, so a message has to be kept in memory until its end.
 */
const maxBytes = 1_048_576

interface FamilyHeader {
  readonly name: string
  readonly help: string
  /** A number of the enumeration `MetricType`. */
  readonly type: number
  readonly unit: string | undefined
}

/** The message `MetricFamily` of a family. A family without series is not written. */
export class FamilyMessage {
  readonly #out: ProtobufWriter
  readonly #header: FamilyHeader
  #token: number | undefined

  constructor(out: ProtobufWriter, header: FamilyHeader) {
    this.#out = out
    this.#header = header
  }

  /** Begins the message, unless it has begun. Metrics are written after it. */
  begin(): void {
    if (this.#token !== undefined) return
    const { name, help, type, unit } = this.#header
    const out = this.#out
    this.#token = out.beginDelimited()
    out.string(fields.metricFamily.name, name)
    out.string(fields.metricFamily.help, help)
    out.varint(fields.metricFamily.type, type)
    if (unit !== undefined) out.string(fields.metricFamily.unit, unit)
  }

  /** Ends the message if it is too long for further metrics. */
  endIfLong(): void {
    if (this.#token !== undefined && this.#out.length - this.#token > maxBytes) this.end()
  }

  end(): void {
    if (this.#token !== undefined) this.#out.end(this.#token)
    this.#token = undefined
  }
}

const bucketTag = (fields.histogram.bucket << 3) | 2
const countTag = fields.bucket.cumulativeCount << 3
const boundTag = (fields.bucket.upperBound << 3) | 1

/** The length of a bucket without its count: two tags and a double. */
const lengthWithoutCount = 10

/** The maximum length of a bucket with its tag and length. */
const maxLength = lengthWithoutCount + 12

/** Writes the metrics of a page. */
export class MetricWriter extends ProtobufWriter {
  /**
   * Writes the messages `Bucket` of all finite bounds, without exemplars. A histogram can have a hundred of them: in
   * one loop they take a third of the time that they take field by field.
   */
  buckets({ bounds, counts }: BucketsSnapshot): void {
    this.reserve(bounds.length * maxLength)
    const { chunk, view } = this
    let total = 0
    for (let index = 0; index < bounds.length; index++) {
      total += counts[index] as number
      let position = this.position
      chunk[position] = bucketTag
      chunk[position + 2] = countTag
      if (total < 0x80) {
        chunk[position + 1] = lengthWithoutCount + 1
        chunk[position + 3] = total
        position += 4
      } else {
        const count = countOf(total)
        chunk[position + 1] = lengthWithoutCount + varintLength(count)
        this.position = position + 3
        this.putVarint(count)
        position = this.position
      }
      chunk[position] = boundTag
      view.setFloat64(position + 1, bounds[index] as number, true)
      this.position = position + 9
    }
  }
}
