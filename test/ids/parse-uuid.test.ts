import fc from 'fast-check'
import { bytesToUuid, parseUuid, type UuidForms } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'
import { uuidVectors } from '../support/uuid-vectors.ts'

const everyForm = { upperCase: true, braces: true, urn: true, bare: true }
const text = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'

describe.each(uuidVectors.rfc9562)('$title', (vector) => {
  it(`has version ${vector.version}`, () => {
    const uuid = parseUuid(vector.uuid, { upperCase: true })
    expect(uuid).toMatchObject({ text: vector.uuid.toLowerCase(), version: vector.version })
  })
})

it.each([
  [0, 'nil', 'ncs'],
  [1, 'gregorian', 'rfc9562'],
  [3, 'name', 'rfc9562'],
  [4, 'random', 'rfc9562'],
  [5, 'name', 'rfc9562'],
  [6, 'gregorian', 'rfc9562'],
  [7, 'unix', 'rfc9562'],
  [8, 'custom', 'rfc9562'],
  [15, 'max', 'future'],
])("parses the RFC's example of version %i: %s, variant %s", (version, kind, variant) => {
  const vector = uuidVectors.rfc9562.find((each) => each.version === version)
  expect(parseUuid(vector?.uuid ?? '', { upperCase: true })).toMatchObject({ version, kind, variant })
})

it.each(uuidVectors.timeBased)('parses time, clock sequence and node of $uuid ($source)', (vector) => {
  const { unix_ms: milliseconds, unix_s: seconds, nanos, gregorian100ns: ticks, clockSeq, node, version } = vector
  const received = {
    ...(milliseconds !== undefined && { timestamp: milliseconds }),
    ...(seconds !== undefined && nanos !== undefined && { timestamp: seconds * 1_000 + Math.floor(nanos / 1e6) }),
    ...(ticks !== undefined && { ticks: BigInt(ticks) }),
    ...(clockSeq !== undefined && { clockSequence: clockSeq }),
    ...(node !== undefined && { node }),
    ...(version !== undefined && { version }),
  }
  expect(Object.keys(received)).not.toHaveLength(0)
  expect(parseUuid(vector.uuid)).toMatchObject(received)
})

it.each([['20616934-4ba2-11e7-8000-010203040506'], ['1e74ba22-0616-6934-8000-010203040506']])(
  'reads the time of %s to 100 nanoseconds',
  (uuid) => {
    expect(parseUuid(uuid)).toMatchObject({ ticks: (1_496_854_535n + 12_219_292_800n) * 10_000_000n + 8_129_460n })
  },
)

it('parses a time before 1970', () => {
  expect(parseUuid('00000001-0000-1000-8000-000000000000')).toMatchObject({ timestamp: -12_219_292_800_000, ticks: 1n })
  expect(parseUuid('13813fff-1dd2-11b2-8000-000000000000')).toMatchObject({ timestamp: -1 })
})

it.each([
  ['7f', 'ncs', 'other'],
  ['80', 'rfc9562', 'random'],
  ['bf', 'rfc9562', 'random'],
  ['c0', 'microsoft', 'other'],
  ['df', 'microsoft', 'other'],
  ['e0', 'future', 'other'],
])('reads the variant of the byte %s: %s, kind %s', (byte, variant, kind) => {
  expect(parseUuid(`12345678-9abc-4def-${byte}23-456789abcdef`)).toMatchObject({ variant, kind })
})

it('reads a UUID of a version that RFC 9562 does not define as another kind', () => {
  expect(parseUuid('12345678-9abc-0def-8123-456789abcdef')).toMatchObject({ version: 0, kind: 'other' })
})

const variants = { RFC4122: 'rfc9562', Reserved: 'ncs', Microsoft: 'microsoft', Future: 'future' } as const

describe.each(uuidVectors.inspect.filter(({ source }) => source === 'google/uuid'))('$in', (vector) => {
  it(vector.parses ? `has version ${vector.version} and variant ${vector.variant}` : 'is not a UUID', () => {
    const uuid = parseUuid(vector.in, everyForm)
    expect(uuid !== undefined).toBe(vector.parses)
    if (uuid !== undefined) {
      expect(uuid.version).toBe(vector.version)
      expect(uuid.variant).toBe(variants[vector.variant as keyof typeof variants])
    }
  })
})

describe('forms', () => {
  const forms: readonly (readonly [keyof UuidForms, string])[] = [
    ['upperCase', text.toUpperCase()],
    ['braces', `{${text}}`],
    ['urn', `urn:uuid:${text}`],
    ['urn', `URN:UUID:${text}`],
    ['bare', text.replaceAll('-', '')],
  ]

  it.each(forms)('are accepted on request only: %s, %s', (form, other) => {
    expect(parseUuid(other)).toBeUndefined()
    expect(parseUuid(other, { ...everyForm, [form]: false })).toBeUndefined()
    expect(parseUuid(other, { [form]: true })).toStrictEqual(parseUuid(text))
  })

  it.each([`x${text}}`, `{${text}x`])('have both braces: %s', (other) => {
    expect(parseUuid(other, { braces: true })).toBeUndefined()
  })

  it('can be combined', () => {
    expect(parseUuid(`{${text.toUpperCase()}}`, everyForm)).toStrictEqual(parseUuid(text))
    expect(parseUuid(`urn:uuid:${text.replaceAll('-', '').toUpperCase()}`, everyForm)).toStrictEqual(parseUuid(text))
  })

  it.each([
    `{${text}`,
    `${text}}`,
    `{{${text}}}`,
    `urn:uuid:{${text}}`,
    `urn:uuid:urn:uuid:${text}`,
    ` ${text}`,
    `${text}\n`,
    text.replace('-', ''),
    text.replace('f', '\u{1d7ff}'),
    text.replace('1', '\u0131'),
    text.replace('1', '\uff11'),
    '',
  ])('do not include %j', (other) => {
    expect(parseUuid(other, everyForm)).toBeUndefined()
  })
})

it('agrees with the grammar on any text', () => {
  const grammar = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
  const broken = fc
    .tuple(fc.uuid(), fc.nat(40), fc.string({ unit: 'binary', maxLength: 2 }))
    .map(([uuid, at, put]) => uuid.slice(0, at) + put + uuid.slice(at + put.length))
  fc.assert(
    fc.property(fc.oneof(broken, fc.uuid(), fc.string()), (other) => {
      expect(parseUuid(other) !== undefined).toBe(grammar.test(other))
    }),
    { numRuns: 5_000 },
  )
  for (let code = 0; code < 0x300; code += 1) {
    const other = text.replace('8', String.fromCharCode(code))
    expect(parseUuid(other) !== undefined).toBe(grammar.test(other))
  }
})

it('parses any 16 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(parseUuid(bytesToUuid(bytes))?.bytes).toStrictEqual(bytes)
    }),
  )
})
