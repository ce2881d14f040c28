/** Replaces the tag of each of the encoded messages from `start` to `end`. All tags have one byte. */
export function replaceTags(bytes: Uint8Array, start: number, end: number, tag: number): void {
  let position = start
  while (position < end) {
    bytes[position++] = tag
    let length = 0
    let byte = 0x80
    for (let shift = 0; byte >= 0x80; shift += 7) {
      byte = bytes[position++] as number
      length |= (byte & 0x7f) << shift
    }
    position += length
  }
}
