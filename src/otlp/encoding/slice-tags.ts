import { hasIds } from '../../metrics/has-ids.ts'
import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { attributeValue } from '../metrics/attribute-value.ts'
import { writeAttribute } from './encode-attributes.ts'
import type { Field, MessageWriter } from './message-writer.ts'
import { numberFields } from './metric-fields.ts'
import { protobufEncoding } from './protobuf-encoding.ts'

/** By the first id of a slice, since a registry returns the same slices until a series comes or goes. */
const tagsOfSlices = new WeakMap<MeterId, SliceTags>()

/** Returns the tags of a slice of one name. Cached; the cache does not keep the series alive. */
export function sliceTagsOf(slice: readonly MeterSnapshot[]): SliceTags {
  const [first] = slice
  const cached = first && tagsOfSlices.get(first.id)
  if (cached !== undefined && hasIds(slice, cached.ids)) return cached
  const created = new SliceTags(slice.map(({ id }) => id))
  if (first !== undefined) tagsOfSlices.set(first.id, created)
  return created
}

/**
 * The tags of the series of a slice, as attributes in Protocol Buffers. They are encoded once: to list and to encode
 * them was the largest part of the profile of an export. They take as many bytes of memory as in an export, and twelve
 * more per series.
 */
export class SliceTags {
  readonly ids: readonly MeterId[]
  #encoded: EncodedTags | undefined

  constructor(ids: readonly MeterId[]) {
    this.ids = ids
  }

  /** Writes the tags of the series at an index. */
  write(out: MessageWriter, field: Field, index: number): void {
    if (out.messages === undefined) {
      writeTags(out, field, this.ids[index] as MeterId)
      return
    }
    this.#encoded ??= encodeTags(this.ids)
    const { bytes, ends } = this.#encoded
    out.messages(field, bytes, index === 0 ? 0 : (ends[index - 1] as number), ends[index] as number)
  }
}

interface EncodedTags {
  readonly bytes: Uint8Array
  /** Where the tags of each series end. */
  readonly ends: Uint32Array
}

const scratch = /* @__PURE__ */ protobufEncoding.createWriter()

function encodeTags(ids: readonly MeterId[]): EncodedTags {
  const ends = new Uint32Array(ids.length)
  for (let index = 0; index < ids.length; index++) {
    writeTags(scratch, numberFields.attributes, ids[index] as MeterId)
    ends[index] = scratch.length
  }
  const pieces = scratch.take()
  const bytes = new Uint8Array(Buffer.concat(pieces))
  scratch.reuse(pieces)
  return { bytes, ends }
}

function writeTags(out: MessageWriter, field: Field, { tags }: MeterId): void {
  for (const { key, value } of tags) writeAttribute(out, field, key, attributeValue(key, value))
}
