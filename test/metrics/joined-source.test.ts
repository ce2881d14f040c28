import fc from 'fast-check'
import type { MeterSnapshot, SnapshotSource } from 'upkeep/metrics'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { joinSources } from '../../src/metrics/joined-source.ts'

function sourceOf(names: readonly string[], source: string): SnapshotSource {
  const meters = createMeterRegistry()
  for (const name of names) for (const n of [1, 2, 3]) meters.counter(name, { n, source }).increment(n)
  return meters
}

function textOf({ id }: MeterSnapshot): string {
  return [id.name, ...id.tags.map(({ value }) => value)].join(' ')
}

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'b.c', 'ba', 'B', 'z', 'ä', '\ud83d\ude00', '__proto__'))

describe('joinSources', () => {
  it('reads names in order, each completely from the first source that has it', () => {
    fc.assert(
      fc.property(fc.array(names, { maxLength: 4 }), fc.integer({ min: 1, max: 4 }), (lists, size) => {
        const reportDuplicate = vi.fn()
        const joined = joinSources(
          lists.map((list, at) => sourceOf(list, `s${at}`)),
          reportDuplicate,
        )
        const all = [...new Set(lists.flat())].sort()
        const expected = all.flatMap((name) => {
          const source = `s${lists.findIndex((list) => list.includes(name))}`
          return [1, 2, 3].map((n) => `${name} ${n} ${source}`)
        })
        expect(joined.names()).toEqual(all)
        expect([...joined.snapshot()].map(textOf)).toEqual(expected)
        expect([...joined.slices(size)].flat().map(textOf)).toEqual(expected)
        expect(all.flatMap((name) => [...joined.snapshot(name)]).map(textOf)).toEqual(expected)
        for (const slice of joined.slices(size)) {
          expect(slice.length).toBeLessThanOrEqual(size)
          expect(new Set(slice.map(({ id }) => id.name)).size).toBe(1)
        }
        const twice = all.filter((name) => lists.filter((list) => list.includes(name)).length > 1)
        expect(new Set(reportDuplicate.mock.calls.map(([name]) => name))).toEqual(new Set(twice))
      }),
    )
  })

  it('refreshes all sources together', async () => {
    const refresh = vi.fn(async () => {})
    await joinSources([{ ...sourceOf([], 's'), refresh }, createMeterRegistry()]).refresh?.()
    expect(refresh).toHaveBeenCalledTimes(1)
  })
})
