import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { uuidNamespaces, uuidV3, uuidV4, uuidV5 } from 'upkeep/ids'
import { expect, it } from 'vitest'
import { uuidVectors } from '../support/uuid-vectors.ts'

const byVersion = { 3: uuidV3, 5: uuidV5 } as const

it.each(uuidVectors.nameBased)('creates $uuid from $name in $ns ($source)', (vector) => {
  expect(byVersion[vector.version](vector.name, vector.ns)).toBe(vector.uuid)
})

it.each(
  uuidVectors.nameBased.flatMap(({ name_hex: bytes, ...vector }) =>
    bytes === undefined ? [] : [{ bytes, ...vector }],
  ),
)('makes $uuid of the bytes $bytes in $ns', (vector) => {
  expect(byVersion[vector.version](Buffer.from(vector.bytes, 'hex'), vector.ns)).toBe(vector.uuid)
})

it('has both kinds of vectors for both versions', () => {
  const counts = [3, 5].map((version) => uuidVectors.nameBased.filter((vector) => vector.version === version).length)
  expect(counts).toStrictEqual([40, 40])
})

it('equals an independent implementation, for names of any length and any order of namespaces', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 500 }),
    fc.string({ unit: 'grapheme', minLength: 230, maxLength: 260 }),
    fc.uint8Array({ maxLength: 500 }),
    fc.constantFrom(
      '\ud800',
      'x'.repeat(239),
      'x'.repeat(240),
      'x'.repeat(241),
      `${'x'.repeat(239)}é`,
      'é'.repeat(120),
    ),
  )
  const namespace = fc.constantFrom(...Object.values(uuidNamespaces), uuidV4())
  fc.assert(
    fc.property(name, namespace, (value, own) => {
      expect(uuidV5(value, own)).toBe(otherway('sha1', '5', value, own))
      expect(uuidV3(value, own)).toBe(otherway('md5', '3', value, own))
    }),
    { numRuns: 500 },
  )
})

it.each(['', 'DNS', '6BA7B810-9DAD-11D1-80B4-00C04FD430C8', '6ba7b8109dad11d180b400c04fd430c8'])(
  'refuses the namespace %j, and goes on with the next one',
  (namespace) => {
    expect(() => uuidV5('a', namespace)).toThrow(
      new TypeError(`expected a UUID, received ${JSON.stringify(namespace)}`),
    )
    expect(() => uuidV3('a', namespace)).toThrow(TypeError)
    expect(uuidV5('www.example.com', uuidNamespaces.DNS)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
  },
)

function otherway(algorithm: string, version: string, name: string | Uint8Array, namespace: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  const digits = createHash(algorithm).update(space).update(name).digest('hex')
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    version + digits.slice(13, 16),
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join('-')
}
