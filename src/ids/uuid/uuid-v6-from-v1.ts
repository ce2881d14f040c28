import { isUuid } from './is-uuid.ts'

/**
 * The UUID of version 6 with the time, clock sequence and node of one of version 1, that sorts by its time. RFC 9562
 * §5.6.
 *
 * @throws TypeError when `text` is no UUID of version 1 in 36 lower-case characters.
 */
export function uuidV6FromV1(text: string): string {
  if (!isUuid(text, 1)) throw new TypeError(`${JSON.stringify(text)} is no UUID of version 1`)
  const time = text.slice(15, 18) + text.slice(9, 13) + text.slice(0, 8)
  return [time.slice(0, 8), time.slice(8, 12), `6${time.slice(12)}`, text.slice(19)].join('-')
}
