import { lazy } from '../../base/lazy.ts'
import { formatUuid, withVariant, withVersion } from '../format-ids.ts'
import { digitAt } from '../hex.ts'
import { uuidToBytes } from './uuid-bytes.ts'

const crypto = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:crypto'))

/**
 * The input of the hash: the bytes of the namespace, then those of the name. It is reused, with its namespace, because
 * allocating it and parsing the namespace take longer than the hash.
 */
const input = new Uint8Array(256)
const nameInInput = input.subarray(16)
const utf8 = new TextEncoder()
let namespaceInInput: string | undefined

/** Views of the start of `input`, by length: creating one takes half as long as a hash. */
const views: Uint8Array[] = []

/**
 * Creates the UUID of a name in a namespace, with MD5: equal arguments return equal UUIDs. Strings are encoded as
 * UTF-8. Anyone who can guess the name can compute the UUID. For systems that use version 3 already; throws if the
 * system disables MD5, as under FIPS rules. RFC 9562 §5.3.
 *
 * @throws TypeError if `namespace` is not a UUID in 36 lower-case characters.
 */
export function uuidV3(name: string | Uint8Array, namespace: string): string {
  return hashToUuid('md5', 3, name, namespace)
}

/**
 * Creates the UUID of a name in a namespace, with SHA-1: equal arguments return equal UUIDs. Strings are encoded as
 * UTF-8. Anyone who can guess the name can compute the UUID. RFC 9562 §5.5.
 *
 * @throws TypeError if `namespace` is not a UUID in 36 lower-case characters.
 */
export function uuidV5(name: string | Uint8Array, namespace: string): string {
  return hashToUuid('sha1', 5, name, namespace)
}

// `hash` of node:crypto, in hexadecimal: much faster than `createHash`, and than a result in bytes.
function hashToUuid(algorithm: 'md5' | 'sha1', version: 3 | 5, name: string | Uint8Array, namespace: string): string {
  if (namespace !== namespaceInInput) {
    input.set(uuidToBytes(namespace))
    namespaceInInput = namespace
  }
  const digits = crypto().hash(algorithm, inputOf(name), 'hex')
  return formatUuid(
    wordAt(digits, 0),
    withVersion(wordAt(digits, 8), version),
    withVariant(wordAt(digits, 16)),
    wordAt(digits, 24),
  )
}

function inputOf(name: string | Uint8Array): Uint8Array {
  if (typeof name === 'string') {
    const { read, written } = utf8.encodeInto(name, nameInInput)
    return read === name.length ? viewOf(16 + written) : createLongInput(utf8.encode(name))
  }
  return createLongInput(name)
}

function viewOf(length: number): Uint8Array {
  const view = views[length] ?? input.subarray(0, length)
  views[length] = view
  return view
}

function createLongInput(name: Uint8Array): Uint8Array {
  const long = new Uint8Array(16 + name.length)
  long.set(input.subarray(0, 16))
  long.set(name, 16)
  return long
}

/** Parses a word of eight hexadecimal digits. */
function wordAt(digits: string, index: number): number {
  let word = 0
  for (let at = index; at < index + 8; at += 1) word = (word << 4) | digitAt(digits, at)
  return word
}
