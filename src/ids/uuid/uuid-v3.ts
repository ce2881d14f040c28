import { hashToUuid } from './name-uuid.ts'

/**
 * The UUID of a name in a namespace, by MD5: the same two always give the same one. Text is taken in UTF-8, as it is
 * written. Whoever can guess the name can compute it: it is no secret. For what holds version 3
 * already; a system under FIPS rules may refuse MD5, and then this throws. RFC 9562 §5.3.
 *
 * @throws TypeError when `namespace` is no UUID in 36 lower-case characters.
 */
export function uuidV3(name: string | Uint8Array, namespace: string): string {
  return hashToUuid('md5', 3, name, namespace)
}
