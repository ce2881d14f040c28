import { lazy } from '../../base/lazy.ts'
import { digitAt } from '../hex.ts'
import { uuidToBytes } from './uuid-bytes.ts'
import { formatUuid, withVariant, withVersion } from './uuid-text.ts'

const crypto = lazy(() => process.getBuiltinModule('node:crypto'))

/** The namespace's bytes and the name's, which fill it as far as they go. */
const input = new Uint8Array(256)
const nameInInput = input.subarray(16)
const utf8 = new TextEncoder()
let namespaceInInput: string | undefined

/** The beginnings of `input` by their length, as they are needed: making one takes as long as the half of a hash. */
const beginnings: Uint8Array[] = []

/**
 * The UUID that the hash of a name in a namespace makes. `node:crypto` hashes in one call, and answers in digits much
 * sooner than in bytes. RFC 9562 §5.3 and §5.5.
 *
 * @throws TypeError when `namespace` is no UUID.
 */
export function hashToUuid(
  algorithm: 'md5' | 'sha1',
  version: 3 | 5,
  name: string | Uint8Array,
  namespace: string,
): string {
  if (namespace !== namespaceInInput) {
    input.set(uuidToBytes(namespace))
    namespaceInInput = namespace
  }
  const digits = crypto().hash(algorithm, inputWith(name), 'hex')
  return formatUuid(
    wordAt(digits, 0),
    withVersion(wordAt(digits, 8), version),
    withVariant(wordAt(digits, 16)),
    wordAt(digits, 24),
  )
}

function inputWith(name: string | Uint8Array): Uint8Array {
  if (typeof name === 'string') {
    const { read, written } = utf8.encodeInto(name, nameInInput)
    return read === name.length ? beginningOf(16 + written) : longInput(utf8.encode(name))
  }
  return longInput(name)
}

function beginningOf(length: number): Uint8Array {
  const beginning = beginnings[length] ?? input.subarray(0, length)
  beginnings[length] = beginning
  return beginning
}

function longInput(name: Uint8Array): Uint8Array {
  const long = new Uint8Array(16 + name.length)
  long.set(input.subarray(0, 16))
  long.set(name, 16)
  return long
}

/** The word that eight digits write. */
function wordAt(digits: string, index: number): number {
  let word = 0
  for (let at = index; at < index + 8; at += 1) word = (word << 4) | digitAt(digits, at)
  return word
}
