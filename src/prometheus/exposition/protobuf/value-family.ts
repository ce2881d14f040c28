import type { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type { MeterSnapshot } from '../../../metrics/snapshot.ts'
import { onlySampleName } from '../../naming.ts'
import type { Family, FamilyWriter } from '../exposition.ts'
import { DistinctSeries } from '../name-conflict.ts'
import { isCount } from '../numbers.ts'
import { FamilyMessage, fields, metricTypes, numberOf, writeExemplar, writeTimestamp } from './messages.ts'
import { createdOf, type SliceMetrics, sliceMetricsOf, type ValueMessage } from './slice-messages.ts'

const counter: ValueMessage = { field: fields.metric.counter, created: fields.counter.createdTimestamp }
const untyped: ValueMessage = { field: fields.metric.untyped, created: undefined }
const gauge: ValueMessage = { field: fields.metric.gauge, created: undefined }

/** Returns the writer of a family of counters. */
export function counterFamily(out: ProtobufWriter, family: Family): FamilyWriter {
  return family.exported.type === 'counter'
    ? valueFamily(out, family, metricTypes.counter, counter, counterValue)
    : valueFamily(out, family, metricTypes.untyped, untyped, counterValue)
}

/** Returns the writer of a family of gauges; an info is a gauge as well. */
export function gaugeFamily(out: ProtobufWriter, family: Family, first: readonly MeterSnapshot[]): FamilyWriter {
  const isInfo = family.exported.type === 'info' && first.every((snapshot) => gaugeValue(snapshot) === 1)
  return valueFamily(out, family, metricTypes.gauge, gauge, isInfo ? infoValue : gaugeValue)
}

/** Returns the value of a series; `undefined` if it is not allowed. */
type ReadValue = (snapshot: MeterSnapshot) => number | undefined

function counterValue(snapshot: MeterSnapshot): number | undefined {
  return snapshot.kind === 'counter' && isCount(snapshot.value) ? snapshot.value : undefined
}

function gaugeValue(snapshot: MeterSnapshot): number | undefined {
  return snapshot.kind === 'gauge' ? numberOf(snapshot.value) : undefined
}

function infoValue(snapshot: MeterSnapshot): number | undefined {
  return gaugeValue(snapshot) === 1 ? 1 : undefined
}

function valueFamily(
  out: ProtobufWriter,
  { exported, help, onConflict }: Family,
  type: number,
  message: ValueMessage,
  readValue: ReadValue,
): FamilyWriter {
  const family = new FamilyMessage(out, { name: onlySampleName(exported), help, type, unit: exported.unit })
  const distinct = new DistinctSeries(exported, onConflict)
  const values: number[] = []
  return {
    *write(slice) {
      const metrics = sliceMetricsOf(slice, message)
      const omitted = yield* distinct.duplicatesIn(slice, metrics)
      if (omitted === undefined && readAll(slice, metrics, message, readValue, values)) {
        family.begin()
        out.rawWithDoubles(metrics.bytes, metrics.values, values)
        family.endIfLong()
        return slice.length
      }
      let written = 0
      for (const [index, snapshot] of slice.entries()) {
        const value = readValue(snapshot)
        if (value === undefined || omitted?.has(index)) continue
        family.begin()
        writeMetric(out, metrics, index, message, snapshot, value)
        written++
      }
      family.endIfLong()
      return written
    },
    close() {
      family.end()
      return []
    },
  }
}

/** Reads the values of a slice. Returns whether all its series can be written as the prepared messages. */
function readAll(
  slice: readonly MeterSnapshot[],
  { created }: SliceMetrics,
  message: ValueMessage,
  readValue: ReadValue,
  values: number[],
): boolean {
  for (let index = 0; index < slice.length; index++) {
    const snapshot = slice[index] as MeterSnapshot
    const value = readValue(snapshot)
    if (value === undefined) return false
    if (snapshot.kind === 'counter' && snapshot.exemplar !== undefined) return false
    if (!Object.is(createdOf(snapshot, message), created[index])) return false
    values[index] = value
  }
  return true
}

function writeMetric(
  out: ProtobufWriter,
  { bytes, labelStarts, labelEnds }: SliceMetrics,
  index: number,
  message: ValueMessage,
  snapshot: MeterSnapshot,
  value: number,
): void {
  const metric = out.begin(fields.metricFamily.metric)
  out.raw(bytes, labelStarts[index], labelEnds[index])
  const token = out.begin(message.field)
  out.double(fields.value, value)
  if (message.created !== undefined && snapshot.kind === 'counter') {
    writeExemplar(out, fields.counter.exemplar, snapshot.exemplar)
    writeTimestamp(out, message.created, snapshot.created)
  }
  out.end(token)
  out.end(metric)
}
