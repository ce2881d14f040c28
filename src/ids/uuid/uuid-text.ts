import { digitCode } from '../hex.ts'

/**
 * The text of the UUID whose 128 bits are these four words. One call makes it out of character codes: pieces joined by
 * `+` would be a rope, that costs as much again when it is first compared, hashed or written.
 */
export function formatUuid(first: number, second: number, third: number, fourth: number): string {
  return String.fromCharCode(
    digitCode(first >>> 28),
    digitCode(first >>> 24),
    digitCode(first >>> 20),
    digitCode(first >>> 16),
    digitCode(first >>> 12),
    digitCode(first >>> 8),
    digitCode(first >>> 4),
    digitCode(first),
    0x2d,
    digitCode(second >>> 28),
    digitCode(second >>> 24),
    digitCode(second >>> 20),
    digitCode(second >>> 16),
    0x2d,
    digitCode(second >>> 12),
    digitCode(second >>> 8),
    digitCode(second >>> 4),
    digitCode(second),
    0x2d,
    digitCode(third >>> 28),
    digitCode(third >>> 24),
    digitCode(third >>> 20),
    digitCode(third >>> 16),
    0x2d,
    digitCode(third >>> 12),
    digitCode(third >>> 8),
    digitCode(third >>> 4),
    digitCode(third),
    digitCode(fourth >>> 28),
    digitCode(fourth >>> 24),
    digitCode(fourth >>> 20),
    digitCode(fourth >>> 16),
    digitCode(fourth >>> 12),
    digitCode(fourth >>> 8),
    digitCode(fourth >>> 4),
    digitCode(fourth),
  )
}

/** The second word of a UUID with the bits of its version set. RFC 9562 §4.2. */
export function withVersion(second: number, version: number): number {
  return (second & 0xffff0fff) | (version << 12)
}

/** The third word of a UUID with the bits of the RFC's variant set. RFC 9562 §4.1. */
export function withVariant(third: number): number {
  return (third & 0x3fffffff) | 0x80000000
}
