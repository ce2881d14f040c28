import { digitCode } from './hex.ts'

// One call of String.fromCharCode creates a flat string: concatenated pieces would be a rope, which is flattened when
// it is first compared, hashed or written, and costs as much again. The calls are unrolled, because a loop takes twice
// as long.

/** Formats four words of 32 bits as a UUID. */
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

/** Formats four words of 32 bits as a trace id, which is never all zeros. */
export function formatTraceId(first: number, second: number, third: number, fourth: number): string {
  const last = (first | second | third | fourth) === 0 ? 1 : fourth
  return String.fromCharCode(
    digitCode(first >>> 28),
    digitCode(first >>> 24),
    digitCode(first >>> 20),
    digitCode(first >>> 16),
    digitCode(first >>> 12),
    digitCode(first >>> 8),
    digitCode(first >>> 4),
    digitCode(first),
    digitCode(second >>> 28),
    digitCode(second >>> 24),
    digitCode(second >>> 20),
    digitCode(second >>> 16),
    digitCode(second >>> 12),
    digitCode(second >>> 8),
    digitCode(second >>> 4),
    digitCode(second),
    digitCode(third >>> 28),
    digitCode(third >>> 24),
    digitCode(third >>> 20),
    digitCode(third >>> 16),
    digitCode(third >>> 12),
    digitCode(third >>> 8),
    digitCode(third >>> 4),
    digitCode(third),
    digitCode(last >>> 28),
    digitCode(last >>> 24),
    digitCode(last >>> 20),
    digitCode(last >>> 16),
    digitCode(last >>> 12),
    digitCode(last >>> 8),
    digitCode(last >>> 4),
    digitCode(last),
  )
}

/** Formats two words of 32 bits as a span id, which is never all zeros. */
export function formatSpanId(first: number, second: number): string {
  const last = (first | second) === 0 ? 1 : second
  return String.fromCharCode(
    digitCode(first >>> 28),
    digitCode(first >>> 24),
    digitCode(first >>> 20),
    digitCode(first >>> 16),
    digitCode(first >>> 12),
    digitCode(first >>> 8),
    digitCode(first >>> 4),
    digitCode(first),
    digitCode(last >>> 28),
    digitCode(last >>> 24),
    digitCode(last >>> 20),
    digitCode(last >>> 16),
    digitCode(last >>> 12),
    digitCode(last >>> 8),
    digitCode(last >>> 4),
    digitCode(last),
  )
}

/** Sets the version in the second word of a UUID. RFC 9562 §4.2. */
export function withVersion(second: number, version: number): number {
  return (second & 0xffff0fff) | (version << 12)
}

/** Sets the variant of RFC 9562 in the third word of a UUID. RFC 9562 §4.1. */
export function withVariant(third: number): number {
  return (third & 0x3fffffff) | 0x80000000
}
