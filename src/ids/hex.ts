/** Returned by {@link digitAt} for other characters. Combined digits contain these bits if one of them is invalid. */
export const notHex = 0xf0

const digitCodes = /* @__PURE__ */ Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

/**
 * The value of each character code. Complete, because a single read out of bounds would make all later reads slower.
 */
const digitValues = /* @__PURE__ */ createDigitValues()

function createDigitValues(): Uint8Array {
  const values = new Uint8Array(0x10000).fill(notHex)
  for (const [value, code] of digitCodes.entries()) values[code] = value
  return values
}

/** Returns the value of the lower-case hexadecimal digit at an index, or {@link notHex}. */
export function digitAt(text: string, index: number): number {
  return digitValues[text.charCodeAt(index)] ?? notHex
}

/**
 * Returns the bitwise OR of the digits from `start` to `end`, whose number is a multiple of four: 0 for zeros only, and
 * with bits of {@link notHex} if a character is not a digit. Four at a time without a comparison of each takes half the
 * time.
 */
export function combineDigits(text: string, start: number, end: number): number {
  let bits = 0
  for (let index = start; index < end; index += 4) {
    bits |= digitAt(text, index) | digitAt(text, index + 1) | digitAt(text, index + 2) | digitAt(text, index + 3)
  }
  return bits
}

/** Returns the character code of the hexadecimal digit for the lowest four bits of `value`. */
export function digitCode(value: number): number {
  return digitCodes[value & 0xf] ?? 0
}

/** The two hexadecimal digits of each byte. */
export const hexPairs: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)
