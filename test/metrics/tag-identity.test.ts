import fc from 'fast-check'
import type { Tags, TagValue } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'

const nasty = [
  '',
  ' ',
  ',',
  ':',
  '|',
  '=',
  '"',
  "'",
  '\\',
  '\n',
  '\0',
  '{',
  '}',
  '\ud800',
  '\udc00',
  '__proto__',
  'constructor',
]
const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.array(fc.constantFrom(...nasty), { maxLength: 3 }).map((parts) => parts.join('')),
)
const value: fc.Arbitrary<TagValue> = fc.oneof(text, fc.integer({ min: -2, max: 300 }), fc.double(), fc.boolean())
const tags: fc.Arbitrary<Tags> = fc
  .uniqueArray(fc.tuple(text, value), { maxLength: 6, selector: ([key]) => key })
  .map((entries) => fromEntries(entries))

/** As an object literal would, so that `__proto__` is a key like any other. */
function fromEntries(entries: readonly (readonly [string, TagValue])[]): Tags {
  const object = {}
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  }
  return object
}

/** What two sets of tags have in common exactly when they are the same. */
function modelKey(set: Tags): string {
  const entries = Object.entries(set).map(([key, value]) => [key, String(value)])
  return JSON.stringify(entries.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)))
}

function shuffle(set: Tags, random: (below: number) => number): Tags {
  const entries = Object.entries(set)
  for (let at = entries.length - 1; at > 0; at--) {
    const other = random(at + 1)
    const moved = entries[at]
    const swapped = entries[other]
    if (moved !== undefined && swapped !== undefined) [entries[at], entries[other]] = [swapped, moved]
  }
  return fromEntries(entries)
}

describe('two sets of tags', () => {
  it('identify one series exactly if they have the same keys and values, in any order', () => {
    fc.assert(
      fc.property(fc.array(tags, { minLength: 1, maxLength: 40 }), fc.infiniteStream(fc.nat()), (sets, numbers) => {
        const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
        const random = (below: number): number => Number(numbers.next().value) % below
        const expected = new Map<string, number>()
        for (const set of sets) {
          for (const form of [set, shuffle(set, random)]) {
            expected.set(modelKey(set), (expected.get(modelKey(set)) ?? 0) + 1)
            registry.counter('c', form).increment()
          }
        }
        const found = new Map<string, number>()
        for (const snapshot of registry.snapshot()) {
          if (snapshot.kind !== 'counter') throw new Error(snapshot.kind)
          const entries = snapshot.id.tags.map(({ key, value }) => [key, value] as const)
          expect(found.has(modelKey(fromEntries(entries)))).toBe(false)
          found.set(modelKey(fromEntries(entries)), snapshot.value)
        }
        expect(found).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('remain distinct with many keys and values, also when some series are removed in between', () => {
    const keys = Array.from({ length: 12 }, (_, at) => `key${at}`)
    const wide = fc.array(fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 40 })), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(wide, fc.boolean()), { minLength: 30, maxLength: 300 }), (steps) => {
        const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
        const model = new Map<string, number>()
        for (const [pairs, leaves] of steps) {
          const set = fromEntries(pairs.map(([key, value]) => [keys[key] ?? '', `v${value}`] as const))
          const counter = registry.counter('c', set)
          expect(counter.value).toBe(model.get(modelKey(set)) ?? 0)
          counter.increment()
          model.set(modelKey(set), counter.value)
          if (leaves) {
            expect(registry.remove(counter)).toBe(true)
            model.delete(modelKey(set))
          }
        }
        const found = [...registry.snapshot()].map(({ id }) =>
          modelKey(fromEntries(id.tags.map((tag) => [tag.key, tag.value]))),
        )
        expect(found.sort()).toEqual([...model.keys()].sort())
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    [{ a: '1,b:2' }, { a: '1', b: '2' }],
    [
      { a: 'x|', b: 'y' },
      { a: 'x', b: '|y' },
    ],
    [{ a: '' }, {}],
    [{ a: 'b' }, { b: 'a' }],
    [{ ab: 'c' }, { a: 'bc' }],
    [{ a: '\ud800' }, { a: '\ufffd' }],
    [{ a: 'e\u0301' }, { a: '\u00e9' }],
    [{ a: 'undefined' }, {}],
    [JSON.parse('{"__proto__":"x"}') as Tags, {}],
    [{ constructor: 'x' } as unknown as Tags, {}],
  ])('%j and %j are two series', (one, other) => {
    const registry = createMeterRegistry()
    registry.counter('c', one).increment()
    expect(registry.counter('c', other).value).toBe(0)
    expect(registry.counter('c', one).value).toBe(1)
  })

  it.each([
    [{ a: 200 }, { a: '200' }],
    [{ a: true }, { a: 'true' }],
    [{ a: -0 }, { a: '0' }],
    [{ a: Number.NaN }, { a: 'NaN' }],
    [{ a: 1e21 }, { a: '1e+21' }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ])('%j and %j are one series', (one, other) => {
    const registry = createMeterRegistry()
    expect(registry.counter('c', one)).toBe(registry.counter('c', other))
    expect(registry.counter('c', other)).toBe(registry.counter('c', one))
  })
})

it('lists the tags sorted by key', () => {
  const { id } = createMeterRegistry().counter('c', { b: 1, Z: 2, a: 3, '': 4, 10: 5 })
  expect(id.tags.map(({ key }) => key)).toEqual(['', '10', 'Z', 'a', 'b'])
})

it.each([[undefined], [null], [{}], [Symbol('x')], [1n], [() => 'x']])(
  'rejects %s as the value of a tag, naming the key',
  (value) => {
    const registry = createMeterRegistry()
    const refused = { good: 'x', bad: value as unknown as string }
    expect(() => registry.counter('c', refused)).toThrow(TypeError)
    expect(() => registry.counter('c', refused)).toThrow('"bad"')
    expect(() => registry.counters('c', ['bad']).with(value as unknown as string)).toThrow('"bad"')
    expect([...registry.snapshot()]).toEqual([])
  },
)

describe('meters by the values of fixed keys', () => {
  it('are the meters with the same tags', () => {
    const registry = createMeterRegistry()
    const placed = registry.counters('orders.placed', ['region', 'result'])
    placed.with('eu', 'success').increment()
    expect(registry.counter('orders.placed', { result: 'success', region: 'eu' })).toBe(placed.with('eu', 'success'))
    expect(placed.with('success', 'eu').value).toBe(0)
  })

  it('are found for any number of keys, and by numbers and booleans', () => {
    const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    for (let length = 0; length <= keys.length; length++) {
      const used = keys.slice(0, length)
      const family = registry.counters(`of.${length}`, used)
      for (let round = 0; round < 2; round++) {
        for (let value = 0; value < 20; value++) {
          const values = used.map((_, at) => (at === 0 ? value : at === 1 ? value % 2 === 0 : `v${value % (at + 1)}`))
          const byTags = registry.counter(`of.${length}`, fromEntries(used.map((key, at) => [key, values[at] ?? ''])))
          expect(family.with(...values)).toBe(byTags)
        }
      }
    }
  })

  it.each([1, 2, 3, 4, 5])('are found by %i strings while others are added', (length) => {
    const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
    const keys = ['a', 'b', 'c', 'd', 'e'].slice(0, length)
    const family = registry.counters('c', keys)
    registry.counter('c')
    for (let value = 0; value < 300; value++) {
      const values = keys.map((key) => `${key}${value}`)
      const created = family.with(...values)
      expect(family.with(...values)).toBe(created)
    }
    expect([...registry.snapshot()]).toHaveLength(301)
  })

  it('are not those of other values, of which the hash consists of the codes of these', () => {
    const registry = createMeterRegistry()
    const family = registry.counters('c', ['a', 'b', 'c', 'd'])
    for (let value = 0; value < 200; value++) family.with(`${value}`, `${value}`, `${value}`, `${value}`)
    // Their codes, eight bits each, are the hash of those of the meter with four times '130'.
    const { tags } = family.with('47', '88', '51', '101').id
    expect(tags.map(({ value }) => value)).toEqual(['47', '88', '51', '101'])
  })

  it.each([2, 3, 4])('are not those that lack one of %i tags', (length) => {
    const registry = createMeterRegistry()
    const keys = ['a', 'b', 'c', 'd'].slice(0, length)
    for (const lacking of keys) {
      const others = keys.filter((key) => key !== lacking)
      const incomplete = registry.counter('c', fromEntries(others.map((key) => [key, key])))
      const complete = registry.counters('c', keys).with(...keys.map((key) => (key === lacking ? 'new' : key)))
      expect(complete).not.toBe(incomplete)
      expect(complete.id.tags).toHaveLength(length)
      registry.remove(complete)
    }
  })

  it('remain correct while keys, values and other tags are added', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }), fc.nat({ max: 200 })), { maxLength: 200 }),
        (steps) => {
          const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
          const [one, two, three] = [
            registry.counters('c', ['a']),
            registry.counters('c', ['b', 'a']),
            registry.counters('c', ['c', 'a', 'b']),
          ]
          for (const [a, b, c] of steps) {
            expect(one.with(a)).toBe(registry.counter('c', { a }))
            expect(two.with(`${b}`, `${a}`)).toBe(registry.counter('c', { a, b }))
            expect(three.with(`x${c}`, a, b)).toBe(registry.counter('c', { b, a, c: `x${c}` }))
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it('reject a key that is listed twice', () => {
    expect(() => createMeterRegistry().counters('c', ['a', 'b', 'a'])).toThrow(RangeError)
  })

  it('are the same object at every call', () => {
    const registry = createMeterRegistry()
    expect(registry.timers('t', ['a', 'b'])).toBe(registry.timers('t', ['a', 'b']))
  })
})
