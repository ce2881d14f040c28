/** Returns the bytes of memory of a string: one per character of ASCII, two per character of any other string. */
export function textBytes(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length
}
