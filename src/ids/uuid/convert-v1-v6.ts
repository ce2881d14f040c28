import { invalidArgument } from '../../base/errors.ts'
import { isUuid } from './uuid-text.ts'

/**
 * Converts a UUID of version 1 to version 6, which sorts by time. Time, clock sequence and node are the same. RFC 9562
 * §5.6.
 *
 * @throws TypeError if `text` is not a UUID of version 1 in 36 lower-case characters.
 */
export function uuidV6FromV1(text: string): string {
  requireVersion(text, 1)
  const time = text.slice(15, 18) + text.slice(9, 13) + text.slice(0, 8)
  return [time.slice(0, 8), time.slice(8, 12), `6${time.slice(12)}`, text.slice(19)].join('-')
}

/**
 * Converts a UUID of version 6 to version 1. Time, clock sequence and node are the same. RFC 9562 §5.6.
 *
 * @throws TypeError if `text` is not a UUID of version 6 in 36 lower-case characters.
 */
export function uuidV1FromV6(text: string): string {
  requireVersion(text, 6)
  const time = text.slice(0, 8) + text.slice(9, 13) + text.slice(15, 18)
  return [time.slice(7), time.slice(3, 7), `1${time.slice(0, 3)}`, text.slice(19)].join('-')
}

function requireVersion(text: string, version: 1 | 6): void {
  if (!isUuid(text, version))
    throw invalidArgument(`expected a UUID of version ${version}, received ${JSON.stringify(text)}`)
}
