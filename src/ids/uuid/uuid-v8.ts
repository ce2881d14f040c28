import { bytesToUuid } from './uuid-bytes.ts'

/**
 * A UUID of 122 bits of one's own: 16 bytes, in which version and variant are put in place of the upper four bits of the
 * seventh and the upper two of the ninth. Whether it is unique is up to its maker. RFC 9562 §5.8.
 *
 * @throws RangeError when there are not 16 bytes.
 */
export function uuidV8(bytes: Uint8Array): string {
  const own = Uint8Array.from(bytes)
  own[6] = ((own[6] ?? 0) & 0x0f) | 0x80
  own[8] = ((own[8] ?? 0) & 0x3f) | 0x80
  return bytesToUuid(own)
}
