import { digitAt } from '../hex.ts'
import { isUuidText } from './uuid-bytes.ts'
import { maxUuid } from './uuid-max.ts'
import { nilUuid } from './uuid-nil.ts'

/**
 * Whether something is a UUID in 36 lower-case characters: of the RFC's variant and a version from 1 to 8, or the nil or
 * max UUID; and, when `version` is given, of that one, 0 being nil's and 15 max's. RFC 9562 §4.
 */
export function isUuid(text: unknown, version?: number): text is string {
  if (typeof text !== 'string' || !isUuidText(text)) return false
  const its = versionOf(text)
  return its !== undefined && (version === undefined || version === its)
}

/** The version of a UUID whose layout the RFC defines. */
function versionOf(text: string): number | undefined {
  const version = digitAt(text, 14)
  if (version >= 1 && version <= 8 && digitAt(text, 19) >>> 2 === 0b10) return version
  if (text === nilUuid) return 0
  return text === maxUuid ? 15 : undefined
}
