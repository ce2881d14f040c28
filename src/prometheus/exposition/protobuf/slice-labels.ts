import { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import { hasIds } from '../../../metrics/has-ids.ts'
import type { MeterId, MeterSnapshot } from '../../../metrics/snapshot.ts'
import { type SliceSeries, seriesLabels } from '../series-labels.ts'
import { fields } from './fields.ts'
import { writeLabel } from './shared-messages.ts'

/** The labels of each series of a slice as fields of `Metric`, one after another. */
export interface SliceLabels extends SliceSeries {
  readonly bytes: Buffer
  /** Where the labels of each series begin; the last element is where those of the last series end. */
  readonly starts: Uint32Array
}

/** By the first id of a slice, as in the text formats. */
const labelsOfSlices = new WeakMap<MeterId, SliceLabels>()
const out = /* @__PURE__ */ new ProtobufWriter()

/** Returns the labels of a slice of one family. Cached; the cache does not keep the series alive. */
export function sliceLabelsOf(slice: readonly MeterSnapshot[]): SliceLabels {
  const [first] = slice
  const cached = first && labelsOfSlices.get(first.id)
  if (cached !== undefined && hasIds(slice, cached.ids)) return cached
  const created = encodeLabels(slice)
  if (first !== undefined) labelsOfSlices.set(first.id, created)
  return created
}

function encodeLabels(slice: readonly MeterSnapshot[]): SliceLabels {
  const starts = new Uint32Array(slice.length + 1)
  let isAmbiguous = false
  for (const [index, snapshot] of slice.entries()) {
    isAmbiguous = writeLabels(out, snapshot) || isAmbiguous
    starts[index + 1] = out.length
  }
  const bytes = takeCopy(out)
  const keyOf = (index: number) => bytes.toString('latin1', starts[index], starts[index + 1])
  return { ids: slice.map(({ id }) => id), isAmbiguous, keyOf, bytes, starts }
}

/** Writes the labels of a series. Returns whether another series may have the same. */
export function writeLabels(out: ProtobufWriter, { id, kind }: MeterSnapshot): boolean {
  const { labels, isAmbiguous } = seriesLabels(id.tags, kind)
  for (const [name, value] of labels) writeLabel(out, fields.metric.label, name, value)
  return isAmbiguous
}

/** Removes all bytes and returns a copy, whose memory is no larger than they are. */
export function takeCopy(out: ProtobufWriter): Buffer {
  const pieces = out.take()
  const bytes = Buffer.from(new Uint8Array(Buffer.concat(pieces)).buffer)
  out.reuse(pieces)
  return bytes
}
