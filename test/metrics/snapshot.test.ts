import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { hasIds } from '../../src/metrics/has-ids.ts'
import { idText } from './reading-snapshots.ts'

function registryWith(...names: string[]) {
  const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
  for (const name of names) registry.counter(name)
  return registry
}

it('is sorted by name, by code units, with all kinds of one name together', () => {
  const registry = registryWith('b', 'a.b', 'a', 'B', 'é')
  registry.gauge('a', { x: 1 }, () => 1)
  registry.timer('b', { x: 1 })
  registry.counter('a', { x: 2 })
  expect([...registry.snapshot()].map(idText)).toEqual([
    'B{}',
    'a{}',
    'a{x=2}',
    'a{x=1}',
    'a.b{}',
    'b{}',
    'b{x=1}',
    'é{}',
  ])
  expect(registry.names()).toEqual(['B', 'a', 'a.b', 'b', 'é'])
})

it('can be limited to one name', () => {
  const registry = registryWith('a', 'b', 'ab')
  expect([...registry.snapshot('a')].map(idText)).toEqual(['a{}'])
  expect([...registry.snapshot('none')]).toEqual([])
})

it('has the same id for a series each time', () => {
  const registry = registryWith('a')
  const [first] = registry.snapshot()
  const [second] = registry.snapshot()
  if (first === undefined || second === undefined) throw new Error('there is none')
  expect(second.id).toBe(first.id)
  expect(registry.counter('a').id).toBe(first.id)
})

it('serializes to JSON without its registry', () => {
  const registry = createMeterRegistry()
  registry.counter('orders', { region: 'eu' }, { baseUnit: 'orders' }).increment(2)
  expect(JSON.parse(JSON.stringify([...registry.snapshot()]))).toEqual([
    {
      kind: 'counter',
      id: { name: 'orders', tags: [{ key: 'region', value: 'eu' }], baseUnit: 'orders' },
      value: 2,
      created: expect.any(Number),
    },
  ])
})

describe('slices', () => {
  it('hold at most the given number of series, of one name and kind', () => {
    const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
    for (let at = 0; at < 150; at++) registry.counter('a', { at })
    for (let at = 0; at < 3; at++) registry.timer('a', { t: at })
    registry.counter('b')
    expect([...registry.slices()].map((slice) => slice.length)).toEqual([64, 64, 22, 3, 1])
    expect([...registry.slices(100)].map((slice) => slice.length)).toEqual([100, 50, 3, 1])
    expect([...registry.slices(7)].flat()).toEqual([...registry.snapshot()])
  })

  it('are full again once most series of a meter were removed', () => {
    const registry = createMeterRegistry()
    const counters = Array.from({ length: 300 }, (_, at) => registry.counter('a', { at }))
    for (const counter of counters.slice(0, 150)) registry.remove(counter)
    const lengths = () => [...registry.slices()].map((slice) => slice.length)
    expect(lengths()).toEqual([42, 64, 44])
    for (const counter of counters.slice(150, 151)) registry.remove(counter)
    expect(lengths()).toEqual([64, 64, 21])
  })

  it('have the ids of the slice before until one of their series is another', () => {
    const registry = createMeterRegistry()
    const counters = ['x', 'y'].map((tag) => registry.counter('a', { tag }))
    const ids = counters.map(({ id }) => id)
    const matches = () => [...registry.slices()].map((slice) => hasIds(slice, ids))
    expect(matches()).toEqual([true])
    for (const counter of counters) registry.remove(counter)
    registry.counter('a', { tag: 'x' })
    expect(matches()).toEqual([false])
    registry.counter('a', { tag: 'y' })
    expect(matches()).toEqual([false])
  })

  it('are read one at a time', () => {
    const registry = createMeterRegistry()
    let read = 0
    for (let at = 0; at < 10; at++) registry.gauge('a', { at }, () => ++read)
    const slices = registry.slices(4)[Symbol.iterator]()
    slices.next()
    expect(read).toBe(4)
    slices.next()
    expect(read).toBe(8)
  })

  it('hold every series that exists throughout the reading exactly once, while others are added and removed', () => {
    const registry = createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
    const family = registry.counters('a', ['x'])
    const staying = new Set<string>()
    for (let at = 0; at < 1_000; at++) {
      family.with(at)
      if (at % 5 === 0) staying.add(`a{x=${at}}`)
    }
    const seen: string[] = []
    let next = 0
    for (const slice of registry.slices(10)) {
      seen.push(...slice.map(idText))
      for (let count = 0; count < 20; count++, next++) {
        if (next < 1_000 && next % 5 !== 0) registry.remove(family.with(next))
        family.with(`new ${next}`)
      }
      if (seen.length > 10_000) throw new Error('it does not end')
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(new Set(seen.filter((id) => staying.has(id)))).toEqual(staying)
  })
})

it('keeps the complete id of a meter that was removed', () => {
  const registry = registryWith()
  const family = registry.counters('a', ['x'])
  const kept = Array.from({ length: 300 }, (_, at) => family.with(at))
  const snapshots = [...registry.snapshot()]
  for (const counter of kept) registry.remove(counter)
  for (let at = 0; at < 300; at++) family.with(`other ${at}`)
  expect(snapshots.map(idText)).toEqual(Array.from({ length: 300 }, (_, at) => `a{x=${at}}`))
})
