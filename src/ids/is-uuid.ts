import { maxUuid } from './uuid-max.ts'
import { nilUuid } from './uuid-nil.ts'

const meaningful = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Whether something is a UUID in 36 lower-case characters: of the RFC's variant and a version from 1 to 8, or the nil or
 * max UUID; and, when `version` is given, of that one, 0 being nil's and 15 max's. RFC 9562 §4.
 */
export function isUuid(text: unknown, version?: number): text is string {
  if (typeof text !== 'string' || text.length !== 36) return false
  if (meaningful.test(text)) return version === undefined || version === text.charCodeAt(14) - 0x30
  return (text === nilUuid && (version ?? 0) === 0) || (text === maxUuid && (version ?? 15) === 15)
}
