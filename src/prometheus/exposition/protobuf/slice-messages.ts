import { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type { MeterId, MeterSnapshot } from '../../../metrics/snapshot.ts'
import { cachedBySlice } from '../../slice-cache.ts'
import { type SliceSeries, seriesLabels } from '../labels.ts'
import { fields, writeLabel, writeTimestamp } from './messages.ts'

/** The labels of each series of a slice as fields of `Metric`, one after another. */
export interface SliceLabels extends SliceSeries {
  readonly bytes: Buffer
  /** Where the labels of each series begin; the last element is where those of the last series end. */
  readonly starts: Uint32Array
}

const labelsOfSlices = new WeakMap<MeterId, SliceLabels>()
const out = /* @__PURE__ */ new ProtobufWriter()

/** Returns the labels of a slice of one family. Cached. */
export function sliceLabelsOf(slice: readonly MeterSnapshot[]): SliceLabels {
  return cachedBySlice(labelsOfSlices, slice, () => encodeLabels(slice))
}

function encodeLabels(slice: readonly MeterSnapshot[]): SliceLabels {
  const starts = new Uint32Array(slice.length + 1)
  let isAmbiguous = false
  for (const [index, snapshot] of slice.entries()) {
    isAmbiguous = writeLabels(snapshot) || isAmbiguous
    starts[index + 1] = out.length
  }
  const bytes = takeCopy()
  const keyOf = (index: number) => bytes.toString('latin1', starts[index], starts[index + 1])
  return { ids: slice.map(({ id }) => id), isAmbiguous, keyOf, bytes, starts }
}

/** Writes the labels of a series. Returns whether another series may have the same. */
function writeLabels({ id, kind }: MeterSnapshot): boolean {
  const { labels, isAmbiguous } = seriesLabels(id.tags, kind)
  for (const [name, value] of labels) writeLabel(out, fields.metric.label, name, value)
  return isAmbiguous
}

/** Removes all bytes and returns a copy, whose memory is no larger than they are. */
function takeCopy(): Buffer {
  const pieces = out.take()
  const bytes = Buffer.from(new Uint8Array(Buffer.concat(pieces)).buffer)
  out.reuse(pieces)
  return bytes
}

/** The messages `Metric` of a slice of counters or gauges, one after another, with 0 as their values. */
export interface SliceMetrics extends SliceSeries {
  readonly bytes: Buffer
  /** Where the labels of each series begin and end. */
  readonly labelStarts: Uint32Array
  readonly labelEnds: Uint32Array
  /** Where the value of each series is: a double of eight bytes. */
  readonly values: Uint32Array
  /** The start of each series, which is part of the message; NaN if it is not. */
  readonly created: Float64Array
}

/** How the value of a series is written. */
export interface ValueMessage {
  /** The field of `Metric` that has the value. */
  readonly field: number
  /** Its field for the start of the series; `undefined` if it has none. */
  readonly created: number | undefined
}

const metricsOfSlices = new WeakMap<MeterId, SliceMetrics>()

/**
 * Returns the messages of a slice of one family. Cached: only values change between two scrapes, and to copy 64
 * messages and set their values takes a quarter of the time of encoding them. A series is always written as the same
 * message.
 */
export function sliceMetricsOf(slice: readonly MeterSnapshot[], message: ValueMessage): SliceMetrics {
  return cachedBySlice(metricsOfSlices, slice, () => encodeMetrics(slice, message))
}

function encodeMetrics(slice: readonly MeterSnapshot[], message: ValueMessage): SliceMetrics {
  const labelStarts = new Uint32Array(slice.length)
  const labelEnds = new Uint32Array(slice.length)
  const values = new Uint32Array(slice.length)
  const created = Float64Array.from(slice, (snapshot) => createdOf(snapshot, message))
  let isAmbiguous = false
  for (const [index, snapshot] of slice.entries()) {
    const metric = out.begin(fields.metricFamily.metric)
    const start = out.length
    isAmbiguous = writeLabels(snapshot) || isAmbiguous
    const end = out.length
    const value = out.begin(message.field)
    out.double(fields.value, 0)
    const valueEnd = out.length
    if (message.created !== undefined) writeTimestamp(out, message.created, created[index] ?? Number.NaN)
    out.end(value)
    const length = out.length
    out.end(metric)
    // The length of the message may have taken more than one byte.
    const moved = out.length - length
    labelStarts[index] = start + moved
    labelEnds[index] = end + moved
    values[index] = valueEnd - 8 + moved
  }
  const bytes = takeCopy()
  const keyOf = (index: number) => bytes.toString('latin1', labelStarts[index], labelEnds[index])
  return { ids: slice.map(({ id }) => id), isAmbiguous, keyOf, bytes, labelStarts, labelEnds, values, created }
}

/** Returns the start of a series that its message contains; NaN if it has no start. */
export function createdOf(snapshot: MeterSnapshot, message: ValueMessage): number {
  return message.created !== undefined && snapshot.kind === 'counter' ? snapshot.created : Number.NaN
}
