import { digitMarks, fourCharacters, fourDigits, fourMarks } from './hex.ts'
import { formatUuid } from './uuid-text.ts'

/** Where four digits begin in the text of a UUID. */
const groups = Uint8Array.of(0, 4, 9, 14, 19, 24, 28, 32)

/** The 16 bytes of a UUID written in 36 characters, of any version and variant, or `undefined` of any other text. */
export function readUuid(text: string): Uint8Array | undefined {
  if (!hasDashes(text)) return undefined
  const bytes = new Uint8Array(16)
  let digits = fourMarks
  for (let group = 0; group < 8; group += 1) {
    const four = fourCharacters(text, groups[group] ?? 0)
    digits &= digitMarks(four)
    const value = fourDigits(four)
    bytes[group * 2] = value >>> 8
    bytes[group * 2 + 1] = value
  }
  return (digits & fourMarks) === fourMarks ? bytes : undefined
}

function hasDashes(text: string): boolean {
  return (
    text.length === 36 &&
    text.charCodeAt(8) === 0x2d &&
    text.charCodeAt(13) === 0x2d &&
    text.charCodeAt(18) === 0x2d &&
    text.charCodeAt(23) === 0x2d
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
