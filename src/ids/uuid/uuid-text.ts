import { digitAt } from '../hex.ts'
import { isUuidText } from './uuid-bytes.ts'
import { maxUuid, nilUuid } from './uuid-constants.ts'

/**
 * Whether a value is a UUID in 36 lower-case characters: of the variant of RFC 9562 and a version from 1 to 8, or the
 * nil or max UUID. With `version`, whether it is of that version; 0 is the nil and 15 the max UUID. RFC 9562 §4.
 */
export function isUuid(text: unknown, version?: number): text is string {
  if (typeof text !== 'string' || !isUuidText(text)) return false
  const actual = versionOf(text)
  return actual !== undefined && (version === undefined || version === actual)
}

/** Returns the version of a UUID whose layout RFC 9562 defines. */
function versionOf(text: string): number | undefined {
  const version = digitAt(text, 14)
  if (version >= 1 && version <= 8 && digitAt(text, 19) >>> 2 === 0b10) return version
  if (text === nilUuid) return 0
  return text === maxUuid ? 15 : undefined
}

/**
 * Compares two UUIDs by their bytes, for `Array.prototype.sort`. For versions 6 and 7 that is the order of time.
 * Returns -1, 0 or 1. Case-insensitive.
 */
export function compareUuids(a: string, b: string): number {
  const left = a.toLowerCase()
  const right = b.toLowerCase()
  if (left === right) return 0
  return left < right ? -1 : 1
}
