import { argumentOutOfRange, invalidArgument } from '../../base/errors.ts'
import { formatUuid } from '../format-ids.ts'
import { digitAt, notHex } from '../hex.ts'

const hyphen = 0x2d

/** The index of the four digits of every two bytes in the text of a UUID. */
const fours = Uint8Array.of(0, 4, 9, 14, 19, 24, 28, 32)

/**
 * Parses the 16 bytes of a UUID in 36 lower-case characters, of any version and variant. Returns `undefined` for other
 * text.
 */
export function readUuid(text: string): Uint8Array | undefined {
  if (!hasHyphens(text)) return undefined
  const bytes = new Uint8Array(16)
  let bits = 0
  for (let index = 0; index < 8; index += 1) {
    const four = fours[index] ?? 0
    const first = digitAt(text, four)
    const second = digitAt(text, four + 1)
    const third = digitAt(text, four + 2)
    const fourth = digitAt(text, four + 3)
    bits |= first | second | third | fourth
    bytes[index * 2] = (first << 4) | second
    bytes[index * 2 + 1] = (third << 4) | fourth
  }
  return bits < notHex ? bytes : undefined
}

/** Whether a text is a UUID in 36 lower-case characters, of any version and variant. */
export function isUuidText(text: string): boolean {
  if (!hasHyphens(text)) return false
  let bits = 0
  for (let index = 0; index < 8; index += 1) {
    const four = fours[index] ?? 0
    bits |= digitAt(text, four) | digitAt(text, four + 1) | digitAt(text, four + 2) | digitAt(text, four + 3)
  }
  return bits < notHex
}

function hasHyphens(text: string): boolean {
  return (
    text.length === 36 &&
    text.charCodeAt(8) === hyphen &&
    text.charCodeAt(13) === hyphen &&
    text.charCodeAt(18) === hyphen &&
    text.charCodeAt(23) === hyphen
  )
}

/**
 * Returns the 16 bytes of a UUID, as for a binary column of a database.
 *
 * @throws TypeError if `text` is not a UUID in 36 lower-case characters; `parseUuid` accepts other forms.
 */
export function uuidToBytes(text: string): Uint8Array {
  const bytes = readUuid(text)
  if (bytes === undefined) throw invalidArgument(`expected a UUID, received ${JSON.stringify(text)}`)
  return bytes
}

/**
 * Formats 16 bytes as a UUID, of any version.
 *
 * @throws RangeError if there are not 16 bytes.
 */
export function bytesToUuid(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw argumentOutOfRange(`expected 16 bytes, received ${bytes.length}`)
  const { buffer, byteOffset } = bytes
  const view = new DataView(buffer, byteOffset, 16)
  return formatUuid(view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12))
}
