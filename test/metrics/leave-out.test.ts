import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it, vi } from 'vitest'
import { leaveOut } from '../../src/metrics/leave-out.ts'

function setUp() {
  const registry = createMeterRegistry()
  for (const name of ['a', 'b', 'c']) registry.counter(name).increment()
  const names = new Set(['b'])
  return { registry, names, source: leaveOut(registry, () => names) }
}

const namesIn = (meters: Iterable<{ readonly id: { readonly name: string } }>) => [...meters].map(({ id }) => id.name)

it('a source without some meters has neither their names, nor their snapshots and slices', () => {
  const { source } = setUp()
  expect(source.names()).toEqual(['a', 'c'])
  expect(namesIn(source.snapshot())).toEqual(['a', 'c'])
  expect([...source.slices()].flatMap(namesIn)).toEqual(['a', 'c'])
  expect(['a', 'b'].map((name) => namesIn(source.snapshot(name)))).toEqual([['a'], []])
})

it('which meters these are is determined at each read', () => {
  const { names, source } = setUp()
  names.delete('b')
  names.add('a')
  expect(source.names()).toEqual(['b', 'c'])
  expect(['a', 'b'].map((name) => namesIn(source.snapshot(name)))).toEqual([[], ['b']])
})

it('slices have the size that is asked for', () => {
  const { registry, source } = setUp()
  const slices = vi.spyOn(registry, 'slices')
  expect([...source.slices(7)]).toHaveLength(2)
  expect(slices).toHaveBeenCalledExactlyOnceWith(7)
})

it('it is refreshed with the source, if that can be', async () => {
  const { registry } = setUp()
  const refresh = vi.fn(async () => {})
  await leaveOut(Object.assign(Object.create(registry), { refresh }), () => new Set()).refresh?.()
  expect(refresh).toHaveBeenCalledTimes(1)
  const { refresh: _, ...others } = { ...registry, names: () => [], snapshot: () => [], slices: () => [] }
  await expect(leaveOut(others, () => new Set()).refresh?.()).resolves.toBeUndefined()
})
