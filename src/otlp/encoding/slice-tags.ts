import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { cachedBySlice } from '../../prometheus/slice-cache.ts'
import { writeAttribute } from './encode-attributes.ts'
import type { Field, MessageWriter } from './message-writer.ts'
import { protobufEncoding } from './protobuf-encoding.ts'

const tagsOfSlices = new WeakMap<MeterId, SliceTags>()

/** Returns the tags of a slice of one name. Cached. */
export function sliceTagsOf(slice: readonly MeterSnapshot[]): SliceTags {
  return cachedBySlice(tagsOfSlices, slice, () => new SliceTags(slice.map(({ id }) => id)))
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

/** Any field: `messages` writes them as another one. */
const attributes: Field = { number: 7, name: 'attributes', isRepeated: true }
const scratch = /* @__PURE__ */ protobufEncoding.createWriter()

function encodeTags(ids: readonly MeterId[]): EncodedTags {
  const ends = new Uint32Array(ids.length)
  for (let index = 0; index < ids.length; index++) {
    writeTags(scratch, attributes, ids[index] as MeterId)
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

/** The attributes of OpenTelemetry's semantic conventions whose values are integers. Values of tags are strings. */
const integers: ReadonlySet<string> = new Set(['http.response.status_code', 'server.port'])
const zero = 0x30
const nine = 0x39

/** Returns the value of a tag as an OTLP attribute: a number where the semantic conventions define an integer. */
export function attributeValue(key: string, value: string): string | number {
  // Nearly all values are words, which need no look-up.
  const first = value.charCodeAt(0)
  if (!(first >= zero && first <= nine) || !integers.has(key)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
