import { parseJson as parseStrictly } from 'upkeep/rest'

/**
 * Parses JSON that all parsers interpret alike (see `parseJson` of upkeep). Like Mattermost, it also accepts raw
 * newlines, carriage returns and tabs inside strings, which shell scripts produce.
 *
 * @throws HttpError 400 that describes the error.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseStrictly(bytes)
  } catch (error) {
    const escaped = escapeRawBlanks(bytes)
    if (escaped === undefined) throw error
    return parseStrictly(escaped)
  }
}

const quote = 0x22
const backslash = 0x5c
/** The letters that follow the backslash in an escaped tab, newline and carriage return. */
const letters: Readonly<Record<number, number>> = { 9: 0x74, 10: 0x6e, 13: 0x72 }

/**
 * Escapes tabs, newlines and carriage returns that stand raw inside strings; returns `undefined` where there are none.
 * No byte of a longer UTF-8 sequence looks like one of these, like a quote or a backslash.
 */
function escapeRawBlanks(bytes: Uint8Array): Uint8Array | undefined {
  const escaped = new Uint8Array(2 * bytes.length)
  let length = 0
  let isInString = false
  let isEscape = false
  for (const byte of bytes) {
    const letter = isInString && !isEscape ? letters[byte] : undefined
    if (letter !== undefined) escaped[length++] = backslash
    escaped[length++] = letter ?? byte
    if (byte === quote && !isEscape) isInString = !isInString
    isEscape = isInString && byte === backslash && !isEscape
  }
  return length === bytes.length ? undefined : escaped.subarray(0, length)
}
