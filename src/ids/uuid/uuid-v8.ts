import { bytesToUuid } from './uuid-bytes.ts'

/**
 * Creates a UUID of version 8 from 16 bytes of the application. The upper four bits of the seventh byte are replaced by
 * the version, the upper two bits of the ninth by the variant. The application is responsible for uniqueness. RFC 9562
 * §5.8.
 *
 * @throws RangeError if there are not 16 bytes.
 */
export function uuidV8(bytes: Uint8Array): string {
  const own = Uint8Array.from(bytes)
  own[6] = ((own[6] ?? 0) & 0x0f) | 0x80
  own[8] = ((own[8] ?? 0) & 0x3f) | 0x80
  return bytesToUuid(own)
}
