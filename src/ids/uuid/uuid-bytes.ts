import { digitAt, notHex } from '../hex.ts'
import { formatUuid } from './uuid-text.ts'

const hyphen = 0x2d

/** Where the four digits of every two bytes begin in the text of a UUID. */
const fours = Uint8Array.of(0, 4, 9, 14, 19, 24, 28, 32)

/** The 16 bytes of a UUID written in 36 characters, of any version and variant, or `undefined` of any other text. */
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

/** Whether a text is a UUID written in 36 characters, of any version and variant. */
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
 * The 16 bytes of a UUID, as a database's binary column holds them.
 *
 * @throws TypeError when `text` is no UUID in 36 lower-case characters; `parseUuid` reads what others wrote.
 */
export function uuidToBytes(text: string): Uint8Array {
  const bytes = readUuid(text)
  if (bytes === undefined) throw new TypeError(`${JSON.stringify(text)} is no UUID`)
  return bytes
}

/**
 * The UUID that 16 bytes hold, whatever its version.
 *
 * @throws RangeError when there are not 16 bytes.
 */
export function bytesToUuid(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new RangeError(`a UUID has 16 bytes, not ${bytes.length}`)
  const { buffer, byteOffset } = bytes
  const view = new DataView(buffer, byteOffset, 16)
  return formatUuid(view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12))
}
