import { hashToUuid } from './name-uuid.ts'

/**
 * The UUID of a name in a namespace, by SHA-1: the same two always give the same one. Text is taken in UTF-8, as it is
 * written. Whoever can guess the name can compute it: it is no secret. RFC 9562 §5.5.
 *
 * @throws TypeError when `namespace` is no UUID in 36 lower-case characters.
 */
export function uuidV5(name: string | Uint8Array, namespace: string): string {
  return hashToUuid('sha1', 5, name, namespace)
}
