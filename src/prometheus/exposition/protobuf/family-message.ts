import type { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import { fields } from './fields.ts'

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
