import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Latencies } from '../../src/console/vitals/latencies.ts'

const duration = fc.double({ min: 60e-6, max: 80, noNaN: true })

function latenciesOf(seconds: readonly number[]): Latencies {
  const latencies = new Latencies()
  for (const each of seconds) latencies.record(each)
  return latencies
}

describe('Latencies', () => {
  it('has no quantile and no maximum without a duration', () => {
    const latencies = new Latencies()
    expect([latencies.count, latencies.quantile(0.5), latencies.maximum]).toEqual([0, null, null])
  })

  it('returns quantiles that are at most 13 % off', () => {
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1, maxLength: 200 }), fc.constantFrom(0.5, 0.95, 0.99), (all, q) => {
        const exact = all.toSorted((one, other) => one - other)[Math.max(1, Math.ceil(q * all.length)) - 1] as number
        const ratio = (latenciesOf(all).quantile(q) as number) / exact
        expect(ratio).toBeGreaterThan(0.87)
        expect(ratio).toBeLessThan(1.13)
      }),
    )
  })

  it('returns no quantile beyond the maximum, also for durations of more than its last bucket', () => {
    const latencies = latenciesOf([1e-9, 0, 500, 1_000])
    expect(latencies.maximum).toBe(1_000)
    expect(latencies.quantile(0.99)).toBeLessThanOrEqual(1_000)
    expect(latenciesOf([1e-9]).quantile(0.5)).toBe(1e-9)
  })

  it('adds the durations of another', () => {
    fc.assert(
      fc.property(
        fc.array(duration),
        fc.array(duration),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (one, other, q) => {
          const sum = latenciesOf(one)
          sum.add(latenciesOf(other))
          const all = latenciesOf([...one, ...other])
          expect([sum.count, sum.maximum, sum.quantile(q)]).toEqual([all.count, all.maximum, all.quantile(q)])
        },
      ),
    )
  })

  it('is empty after it was cleared', () => {
    const latencies = latenciesOf([1, 2])
    latencies.clear()
    expect([latencies.count, latencies.quantile(0.5), latencies.maximum]).toEqual([0, null, null])
  })
})
