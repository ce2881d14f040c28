import { isUuid } from './is-uuid.ts'

/**
 * The UUID of version 1 with the time, clock sequence and node of one of version 6. RFC 9562 §5.6.
 *
 * @throws TypeError when `text` is no UUID of version 6 in 36 lower-case characters.
 */
export function uuidV1FromV6(text: string): string {
  if (!isUuid(text, 6)) throw new TypeError(`${JSON.stringify(text)} is no UUID of version 6`)
  const time = text.slice(0, 8) + text.slice(9, 13) + text.slice(15, 18)
  return [time.slice(7), time.slice(3, 7), `1${time.slice(0, 3)}`, text.slice(19)].join('-')
}
