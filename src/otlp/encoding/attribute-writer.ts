import { ProtobufWriter } from '../../base/protobuf-writer.ts'

/** Of a `KeyValue` with a string: its own tags and lengths, each of one byte. */
const overhead = 8
/** The maximum length of a message whose length takes one byte. */
const shortMessage = 0x7f

/** Writes most attributes in one step: as two messages and two strings, they led the profile of an export of spans. */
export class AttributeWriter extends ProtobufWriter {
  /**
   * Writes a `KeyValue` if its key and value are short and ASCII, and returns whether they are. `field` is at most 15.
   */
  shortAttribute(field: number, key: string, value: string): boolean {
    const length = overhead - 2 + key.length + value.length
    if (length > shortMessage) return false
    this.reserve(length + 2)
    const { chunk, position } = this
    const keyEnd = position + 4 + key.length
    chunk[position] = field * 8 + 2
    chunk[position + 1] = length
    chunk[position + 2] = 0x0a
    chunk[position + 3] = key.length
    chunk[keyEnd] = 0x12
    chunk[keyEnd + 1] = value.length + 2
    chunk[keyEnd + 2] = 0x0a
    chunk[keyEnd + 3] = value.length
    const codes = putCodes(chunk, position + 4, key) | putCodes(chunk, keyEnd + 4, value)
    if (codes >= 0x80) return false
    this.position = keyEnd + 4 + value.length
    return true
  }
}

/** Writes the code of each character as one byte. Returns the bitwise OR of the codes: below 0x80 for ASCII only. */
function putCodes(bytes: Uint8Array, start: number, text: string): number {
  let all = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    bytes[start + index] = code
    all |= code
  }
  return all
}
