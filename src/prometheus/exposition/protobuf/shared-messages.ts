import type { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type { Exemplar } from '../../../metrics/snapshot.ts'
import { exemplarLabels } from '../exemplar-labels.ts'
import { fields } from './fields.ts'

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
