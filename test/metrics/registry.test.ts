import type { MeterRegistry } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { idText } from './reading-snapshots.ts'

const makers: Record<string, (registry: MeterRegistry, name: string, tags: { x: string }) => unknown> = {
  counter: (registry, name, tags) => registry.counter(name, tags),
  gauge: (registry, name, tags) => registry.gauge(name, tags, () => 1),
  timer: (registry, name, tags) => registry.timer(name, tags),
  summary: (registry, name, tags) => registry.summary(name, tags),
  longTaskTimer: (registry, name, tags) => registry.longTaskTimer(name, tags),
  functionCounter: (registry, name, tags) => registry.functionCounter(name, tags, () => 1),
  functionTimer: (registry, name, tags) => registry.functionTimer(name, tags, () => ({ count: 1, total: 1 })),
}
const kinds = Object.keys(makers)

describe.each(kinds)('%s', (kind) => {
  const make = makers[kind] ?? (() => {})

  it('is created once per name and tags', () => {
    const registry = createMeterRegistry({ diagnose: () => {} })
    expect(make(registry, 'a', { x: '1' })).toBe(make(registry, 'a', { x: '1' }))
    expect(make(registry, 'a', { x: '1' })).not.toBe(make(registry, 'a', { x: '2' }))
    expect(make(registry, 'a', { x: '1' })).not.toBe(make(registry, 'b', { x: '1' }))
    expect([...registry.snapshot()].map(idText)).toEqual(['a{x=1}', 'a{x=2}', 'b{x=1}'])
  })

  it.each(kinds.filter((other) => other !== kind))('cannot have the name and tags of a %s', (other) => {
    const registry = createMeterRegistry()
    make(registry, 'a', { x: '1' })
    const makeOther = () => makers[other]?.(registry, 'a', { x: '1' })
    expect(makeOther).toThrow(TypeError)
    expect(makeOther).toThrow(new RegExp(`${kind} 'a'.*x="1".*${other}`))
    makers[other]?.(registry, 'a', { x: '2' })
    expect([...registry.snapshot()]).toHaveLength(2)
  })

  it.each(kinds.filter((other) => other !== kind))('cannot have those of a later %s either', (other) => {
    const registry = createMeterRegistry()
    make(registry, 'a', { x: '1' })
    makers[other]?.(registry, 'a', { x: '2' })
    expect(() => make(registry, 'a', { x: '2' })).toThrow(TypeError)
  })

  it('is omitted from snapshots once it is removed, and is replaced by a new one on request', () => {
    const registry = createMeterRegistry()
    const meter = make(registry, 'a', { x: '1' }) as Parameters<MeterRegistry['remove']>[0]
    make(registry, 'a', { x: '2' })
    expect(registry.remove(meter)).toBe(true)
    expect(registry.remove(meter)).toBe(false)
    expect([...registry.snapshot()].map(idText)).toEqual(['a{x=2}'])
    expect(meter.id).toMatchObject({ name: 'a', tags: [{ key: 'x', value: '1' }] })
    expect(make(registry, 'a', { x: '1' })).not.toBe(meter)
    expect([...registry.snapshot()]).toHaveLength(2)
  })

  it('is not removed by another registry', () => {
    const registry = createMeterRegistry()
    const meter = make(registry, 'a', { x: '1' }) as Parameters<MeterRegistry['remove']>[0]
    make(createMeterRegistry(), 'a', { x: '1' })
    expect(createMeterRegistry().remove(meter)).toBe(false)
    expect(registry.names()).toEqual(['a'])
  })
})

describe('creating a meter that could not be scraped throws', () => {
  const given = <T>(value: unknown): T => value as T

  it.each([undefined, null, 5, '', {}])('for the name %j', (name) => {
    const registry = createMeterRegistry()
    for (const kind of kinds)
      expect(() => makers[kind]?.(registry, given(name), { x: '1' })).toThrow(
        /^meter name: expected a non-empty string/,
      )
    expect(() => registry.counters(given(name), ['x'])).toThrow(TypeError)
    expect(registry.names()).toEqual([])
  })

  it.each([
    ['description', { description: 5 }],
    ['baseUnit', { baseUnit: null }],
  ])('for an invalid %s', (option, options) => {
    const registry = createMeterRegistry()
    expect(() => registry.counter('a', {}, given(options))).toThrow(`meter 'a': ${option}: expected a string, received`)
    expect(() => registry.gauge('a', {}, () => 1, given(options))).toThrow(TypeError)
  })

  it.each([['How many there are'], [['region']], [new Map([['region', 'eu']])], [() => 1], [5]])(
    'for the tags %o',
    (tags) => {
      const registry = createMeterRegistry()
      expect(() => registry.counter('a', given(tags))).toThrow(/^tags: expected an object/)
      expect(() => registry.timer('a', given(tags))).toThrow(TypeError)
      expect([...registry.snapshot()]).toEqual([])
    },
  )

  it.each([['region'], [[5]], [{ region: 'eu' }]])('for the tag keys %j', (keys) => {
    expect(() => createMeterRegistry().counters('a', given<string[]>(keys))).toThrow(
      /^tag keys: expected an array of strings/,
    )
  })
})

it('says which tags another kind of meter has, with a code', () => {
  const registry = createMeterRegistry()
  registry.counter('a', { y: 1, x: 'one' })
  const error = Object.assign(
    new TypeError(
      'There is already a counter \'a\' with the tags {x="one", y="1"}; ' +
        'expected another name or other tags for a timer',
    ),
    { code: 'UPKEEP_EMETER' },
  )
  expect(() => registry.timer('a', { y: 1, x: 'one' })).toThrow(error)
})

it('refuses an unknown option, and says what it is called or which there are', () => {
  const all = { maximumSeriesPerMeter: 5, ttl: '1m' }
  expect(() => createMeterRegistry(all)).toThrow(
    new TypeError('createMeterRegistry: unknown option "ttl"; did you mean "expireAfter"?'),
  )
  const expireAfter = { counter: '1m', gauge: '1m' } as const
  expect(() => createMeterRegistry({ expireAfter })).toThrow(
    new TypeError(
      'createMeterRegistry: unknown option "expireAfter.gauge"; expected counter, timer, summary, longTaskTimer',
    ),
  )
})

it('allows meters of one name to have different tag keys', () => {
  const registry = createMeterRegistry()
  registry.counter('a').increment(1)
  registry.counter('a', { x: 1 }).increment(2)
  registry.counter('a', { y: 1 }).increment(3)
  registry.counter('a', { x: 1, y: 1 }).increment(4)
  expect([...registry.snapshot()].map((each) => [idText(each), each.kind === 'counter' && each.value])).toEqual([
    ['a{}', 1],
    ['a{x=1}', 2],
    ['a{y=1}', 3],
    ['a{x=1,y=1}', 4],
  ])
})

it('does not share meters between two registries', () => {
  const [one, other] = [createMeterRegistry(), createMeterRegistry()]
  one.counter('a').increment()
  expect(other.names()).toEqual([])
  expect(other.counter('a').value).toBe(0)
})

it('does not read a removed meter, which can still be used', () => {
  const registry = createMeterRegistry()
  const counter = registry.counter('a')
  registry.remove(counter)
  counter.increment()
  expect(counter.value).toBe(1)
  expect([...registry.snapshot()]).toEqual([])
  expect(registry.counter('a').value).toBe(0)
})

it('finds the remaining meters after many were removed', () => {
  const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
  const family = registry.counters('a', ['x', 'y'])
  for (let at = 0; at < 2_000; at++) family.with(at, at % 7).increment(at)
  for (let at = 0; at < 2_000; at++) if (at % 10 !== 0) registry.remove(family.with(at, at % 7))
  for (let at = 0; at < 2_000; at += 10) {
    expect(family.with(at, at % 7).value).toBe(at)
    expect(registry.counter('a', { y: String(at % 7), x: String(at) }).value).toBe(at)
  }
  expect([...registry.snapshot()]).toHaveLength(200)
  expect(family.with(1, 1).value).toBe(0)
})

it('finds the meter without tags after many with tags were removed', () => {
  const registry = createMeterRegistry()
  const untagged = registry.counter('a')
  for (let at = 0; at < 200; at++) registry.remove(registry.counter('a', { at }))
  expect([...registry.snapshot()].map(idText)).toEqual(['a{}'])
  expect(registry.counter('a')).toBe(untagged)
})

it('finds a meter that was removed and created again, in each form, while others are added', () => {
  const registry = createMeterRegistry()
  const family = registry.counters('a', ['x'])
  registry.remove(family.with('1'))
  const again = family.with('1')
  expect(registry.counter('a', { x: 1 })).toBe(again)
  for (let x = 0; x < 100; x++) family.with(`${x}`)
  expect(family.with('1')).toBe(again)
  expect(registry.counter('a', { x: '1' })).toBe(again)
})

it('lists the current names, sorted, each once, while meters are added and removed', () => {
  const registry = createMeterRegistry()
  registry.counter('b')
  registry.timer('b', { x: 1 })
  expect(registry.names()).toEqual(['b'])
  const first = registry.counter('a')
  registry.gauge('B', () => 1)
  registry.gauge('ä', () => 1)
  expect(registry.names()).toEqual(['B', 'a', 'b', 'ä'])
  registry.remove(first)
  registry.counter('c')
  expect(registry.names()).toEqual(['B', 'b', 'c', 'ä'])
  registry.counter('a')
  expect(registry.names()).toEqual(['B', 'a', 'b', 'c', 'ä'])
})

describe('close', () => {
  it('allows reading, and stores no new meters', () => {
    const registry = createMeterRegistry()
    const counter = registry.counter('a')
    registry.close()
    counter.increment()
    registry.counter('b').increment()
    registry.timer('c').record(1)
    registry.gauge('d', () => 1)
    expect([...registry.snapshot()].map((each) => [idText(each), each.kind === 'counter' && each.value])).toEqual([
      ['a{}', 1],
    ])
    expect(registry.counter('a')).toBe(counter)
  })

  it('stops all timers, with any options', () => {
    vi.useFakeTimers()
    const registry = createMeterRegistry({ expireAfter: { counter: '1m' } })
    registry.timer('a')
    expect(vi.getTimerCount()).toBe(2)
    registry.close()
    registry.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
})
