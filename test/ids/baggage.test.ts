import { baggageEntryMetadataFromString, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { W3CBaggagePropagator } from '@opentelemetry/core'
import fc from 'fast-check'
import { type BaggageMember, formatBaggage, parseBaggage } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'

describe('parseBaggage', () => {
  it.each<[string, string | undefined, readonly BaggageMember[]]>([
    ['an absent field', undefined, []],
    ['an empty field', '', []],
    // W3C Baggage §3.3.1 and §3.4
    [
      'properties',
      'key1=value1;property1;property2, key2 = value2, key3=value3; propertyKey=propertyValue',
      [
        { key: 'key1', value: 'value1', properties: 'property1;property2' },
        { key: 'key2', value: 'value2' },
        { key: 'key3', value: 'value3', properties: 'propertyKey=propertyValue' },
      ],
    ],
    [
      'escapes',
      'userId=Am%C3%A9lie,serverNode=DF%2028,isProduction=false',
      [
        { key: 'userId', value: 'Amélie' },
        { key: 'serverNode', value: 'DF 28' },
        { key: 'isProduction', value: 'false' },
      ],
    ],
    [
      'all optional white space',
      ' \tSomeKey \t = \tSomeValue \t ; \tp \t= \tv \t ',
      [{ key: 'SomeKey', value: 'SomeValue', properties: 'p=v' }],
    ],
    ['an empty value', 'a=', [{ key: 'a', value: '' }]],
    ['an equals sign in the value', 'a=b=c==', [{ key: 'a', value: 'b=c==' }]],
    ['all characters of a key', "!#$%&'*+-.^_`|~0aZ=1", [{ key: "!#$%&'*+-.^_`|~0aZ", value: '1' }]],
    [
      'all characters of a value',
      "a=!#$&'()*+-./09:<=>?@AZ[]^_`az{|}~",
      [{ key: 'a', value: "!#$&'()*+-./09:<=>?@AZ[]^_`az{|}~" }],
    ],
    ['octets that are not UTF-8', 'a=%C3%28%FF', [{ key: 'a', value: '\ufffd(\ufffd' }]],
    [
      'a percent sign without an escape',
      'a=100%,b=%4,c=%zz',
      [
        { key: 'a', value: '100%' },
        { key: 'b', value: '%4' },
        { key: 'c', value: '%zz' },
      ],
    ],
    ['escapes in a key, which are not decoded', 'a%20b=1', [{ key: 'a%20b', value: '1' }]],
    [
      'repeated keys, in order',
      'a=1,b=2,a=3',
      [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
        { key: 'a', value: '3' },
      ],
    ],
  ])('reads %s', (_, text, members) => {
    expect(parseBaggage(text)).toEqual(members)
  })

  it.each([
    'a',
    '=1',
    'a b=1',
    'a=b c',
    'a="b"',
    'a=b\\c',
    'a=é',
    'a=\u0000',
    'é=1',
    'a=1;',
    'a=1;p=b c',
    'a=1;=v',
    'a=1;p q',
    '(a)=1',
  ])('skips the malformed member %j, and reads the others', (malformed) => {
    expect(parseBaggage(`x=1,${malformed},y=2`)).toEqual([
      { key: 'x', value: '1' },
      { key: 'y', value: '2' },
    ])
  })

  it('reads 64 members and 8,192 characters, and skips what exceeds either', () => {
    const members = Array.from({ length: 70 }, (_, at) => `k${at}=v`)
    expect(parseBaggage(members.join(','))).toHaveLength(64)
    const exact = `a=${'x'.repeat(4_093)},b=${'y'.repeat(4_094)}`
    expect(exact).toHaveLength(8_192)
    expect(parseBaggage(exact).map(({ key }) => key)).toEqual(['a', 'b'])
    expect(parseBaggage(`${exact}y`).map(({ key }) => key)).toEqual(['a'])
    expect(parseBaggage(`${exact},c=1`).map(({ key }) => key)).toEqual(['a', 'b'])
    expect(parseBaggage(`a=${'x'.repeat(9_000)}`)).toEqual([])
  })
})

describe('a field of baggage', () => {
  it.each([
    ['without an equals sign', 'ab,c=1'],
    ['without a key', '=1,c=1'],
  ])('is read without a member %s', (_, text) => {
    expect(parseBaggage(text)).toEqual([{ key: 'c', value: '1' }])
  })

  it('of more than 8,192 characters has no member if it has no comma', () => {
    expect(parseBaggage(`a=${'1'.repeat(8_190)}`)).toHaveLength(1)
    expect(parseBaggage(`a=${'1'.repeat(8_191)}`)).toEqual([])
  })

  it('retains a byte order mark, and control characters', () => {
    const members = [{ key: 'a', value: '\uFEFFb\u000F\u0010' }]
    expect(formatBaggage(members)).toBe('a=%EF%BB%BFb%0F%10')
    expect(parseBaggage('a=%EF%BB%BFb%0F%10')).toEqual(members)
  })

  it.each([
    [8_192, ['a', 'b']],
    [8_193, ['a']],
  ])('is written with both members only if it has at most 8,192 characters: %i', (length, keys) => {
    const members = [
      { key: 'a', value: '1' },
      { key: 'b', value: '2'.repeat(length - 'a=1,b='.length) },
    ]
    expect(parseBaggage(formatBaggage(members)).map(({ key }) => key)).toEqual(keys)
  })

  it('is written with the members that fit behind those that do not', () => {
    const long = { key: 'b', value: '2'.repeat(8_189) }
    const short = { key: 'c', value: '3' }
    expect(formatBaggage([{ key: 'a', value: '1' }, long, short])).toBe('a=1,c=3')
    expect(formatBaggage([{ key: 'a', value: '1'.repeat(5_000) }, { ...long, value: '2'.repeat(5_000) }, short])).toBe(
      `a=${'1'.repeat(5_000)},c=3`,
    )
  })

  it('is written with the first 64 members', () => {
    const members = Array.from({ length: 66 }, (_, at) => ({ key: `k${at}`, value: '' }))
    expect(formatBaggage(members).split(',')).toEqual(members.slice(0, 64).map(({ key }) => `${key}=`))
  })
})

describe('formatBaggage', () => {
  it('encodes what a value may not contain, and retains properties', () => {
    const members = [
      { key: 'user', value: 'Amélie "A", 100 %; \\\n\u{1f600}', properties: 'ttl=30 ; public' },
      { key: 'empty', value: '' },
    ]
    const text = formatBaggage(members)
    expect(text).toBe('user=Am%C3%A9lie%20%22A%22%2C%20100%20%25%3B%20%5C%0A%F0%9F%98%80;ttl=30;public,empty=')
    expect(parseBaggage(text)).toEqual([{ ...members[0], properties: 'ttl=30;public' }, members[1]])
  })

  it('omits members beyond the limits, and no parts of them', () => {
    const many = Array.from({ length: 70 }, (_, at) => ({ key: `k${at}`, value: 'v' }))
    expect(parseBaggage(formatBaggage(many))).toEqual(many.slice(0, 64))
    const long = { key: 'long', value: 'é'.repeat(3_000) }
    expect(formatBaggage([{ key: 'a', value: '1' }, long, { key: 'b', value: '2' }])).toBe('a=1,b=2')
  })

  it.each([
    [{ key: '', value: '1' }, 'expected a key of baggage, received ""'],
    [{ key: 'a b', value: '1' }, 'expected a key of baggage, received "a b"'],
    [{ key: 'a', value: '1', properties: 'p,q' }, 'expected properties of baggage, received "p,q"'],
  ])('rejects %j', (member, message) => {
    expect(() => formatBaggage([member])).toThrow(new RangeError(message))
  })

  it('returns what parseBaggage and OpenTelemetry read as the same members', () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,20}$/)
    const value = fc.string({ unit: 'grapheme', maxLength: 40 })
    const properties = fc.constantFrom(undefined, 'ttl=30', 'public;ttl=30')
    const members = fc.uniqueArray(fc.record({ key, value, properties }), { selector: (one) => one.key, maxLength: 20 })
    fc.assert(
      fc.property(members, (given) => {
        const field = formatBaggage(given)
        const expected = given.map(({ properties: some, ...rest }) => (some ? { ...rest, properties: some } : rest))
        expect(parseBaggage(field)).toEqual(expected)

        const propagator = new W3CBaggagePropagator()
        const carrier = { baggage: field }
        const read = propagator.extract(ROOT_CONTEXT, carrier, { get: () => field, keys: () => ['baggage'] })
        const theirs = propagation.getBaggage(read)?.getAllEntries() ?? []
        const short = given.filter((one) => one.value !== '' && formatBaggage([one]).length <= 4_096)
        expect(theirs.filter(([, entry]) => entry.value !== '').map(([name, entry]) => [name, entry.value])).toEqual(
          short.map((one) => [one.key, one.value]),
        )
      }),
    )
  })

  it('is read back from what OpenTelemetry sends', () => {
    const metadata = baggageEntryMetadataFromString('ttl=30')
    const baggage = propagation.createBaggage({ user: { value: 'Amélie, "A"', metadata }, plan: { value: 'a b;c' } })
    const carrier: { baggage?: string } = {}
    new W3CBaggagePropagator().inject(propagation.setBaggage(ROOT_CONTEXT, baggage), carrier, {
      set: (to: typeof carrier, _name, field) => {
        to.baggage = String(field)
      },
    })
    expect(parseBaggage(carrier.baggage)).toEqual([
      { key: 'user', value: 'Amélie, "A"', properties: 'ttl=30' },
      { key: 'plan', value: 'a b;c' },
    ])
  })
})
