/**
 * Copies bytes eight at a time, as doubles, which for some dozens of them takes half the time of `copyWithin`. Up to seven
 * bytes behind the copy are overwritten. For ASCII alone: eight other bytes can make up a NaN, whose bits need not stay the
 * same on the way.
 */
export function copyAscii(from: DataView, fromStart: number, to: DataView, toStart: number, length: number): void {
  for (let offset = 0; offset < length; offset += 8) {
    to.setFloat64(toStart + offset, from.getFloat64(fromStart + offset))
  }
}

/** How many bytes behind a copy may be overwritten, and behind what is copied may be read. */
export const copyOverhang = 7

/** Writes a whole number from 0 to 999,999,999 as digits; returns where they end. */
export function putDigits(bytes: Uint8Array, start: number, number: number): number {
  if (number >= 1_000) {
    const thousands = (number / 1_000) | 0
    return putThreeDigits(bytes, putDigits(bytes, start, thousands), number - thousands * 1_000)
  }
  if (number >= 100) return putThreeDigits(bytes, start, number)
  let position = start
  if (number >= 10) bytes[position++] = (digits[number] as number) >> 8
  bytes[position++] = digits[number] as number
  return position
}

function putThreeDigits(bytes: Uint8Array, start: number, number: number): number {
  const three = digits[number] as number
  bytes[start] = three >> 16
  bytes[start + 1] = three >> 8
  bytes[start + 2] = three
  return start + 3
}

/** The three digits of each number below a thousand, one a byte. */
const digits = Uint32Array.from({ length: 1_000 }, (_, number) => {
  const [hundreds = 0, tens = 0, ones = 0] = Buffer.from(`${number}`.padStart(3, '0'))
  return (hundreds << 16) | (tens << 8) | ones
})
