/*
 * Text is looked at four characters at a time, packed into one word, the first in its lowest byte: a question answered
 * for the four bytes of a word at once costs a quarter, and there is nothing to branch on.
 */

/** Four characters of a text from `index` on, in one word. */
export function fourCharacters(text: string, index: number): number {
  return packCharacters(
    text.charCodeAt(index),
    text.charCodeAt(index + 1),
    text.charCodeAt(index + 2),
    text.charCodeAt(index + 3),
  )
}

/** The codes of four characters in one word, or 0, that holds no digit, when one of them is beyond ASCII. */
export function packCharacters(first: number, second: number, third: number, fourth: number): number {
  return (first | second | third | fourth) > 0x7f ? 0 : first | (second << 8) | (third << 16) | (fourth << 24)
}

/** The word of four characters `0`. */
export const fourZeros = 0x30303030

/** A word with the highest bit set of each byte: what {@link digitMarks} answers for four digits. */
export const fourMarks: number = 0x80808080 | 0

/**
 * Sets the highest bit of each byte that is a lower-case hexadecimal digit; the other bits mean nothing. Each sum raises
 * that bit for the codes from one character on: from `0` and not from `:`, or from `a` and not from `g`.
 */
export function digitMarks(four: number): number {
  return ((four + 0x50505050) & ~(four + 0x46464646)) | ((four + 0x1f1f1f1f) & ~(four + 0x19191919))
}

/** The 16 bits that four digits write. */
export function fourDigits(four: number): number {
  const values = (four & 0x0f0f0f0f) + ((four >>> 6) & 0x01010101) * 9
  return ((values & 0xf) << 12) | (values & 0xf00) | ((values >>> 12) & 0xf0) | ((values >>> 24) & 0xf)
}

const digitCodes = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

/** The character code of the hexadecimal digit for the lowest four bits of `value`. */
export function digitCode(value: number): number {
  return digitCodes[value & 0xf] ?? 0
}

/** Each byte as two hexadecimal digits. */
export const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
