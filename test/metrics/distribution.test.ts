import fc from 'fast-check'
import type { DistributionOptions } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { BucketFinder } from '../../src/metrics/distribution/bucket-finder.ts'
import { percentileBounds } from '../../src/metrics/distribution/percentile-buckets.ts'
import { cellsOf, storedMeter } from './cells-of-meters.ts'
import { createManualClock } from './manual-clock.ts'
import { snapshotOf } from './reading-snapshots.ts'

const positive = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true })
const everyday = fc.double({ min: 1e-6, max: 1e6, noNaN: true })
const bounds = fc
  .uniqueArray(fc.oneof(everyday, positive), { minLength: 1, maxLength: 40 })
  .map((list) => list.sort((one, other) => one - other))

function timerSnapshot(options: DistributionOptions, values: readonly number[]) {
  const registry = createMeterRegistry()
  const timer = registry.timer('work', {}, options)
  for (const value of values) timer.record(value)
  return snapshotOf(registry, 'timer', 'work')
}

describe('bucket', () => {
  it('counts values up to its bound and above the previous bound', () => {
    fc.assert(
      fc.property(bounds, fc.array(fc.oneof(everyday, positive, fc.constant(0)), { maxLength: 30 }), (list, values) => {
        const finder = new BucketFinder(list, 2)
        for (const value of [...values, ...list]) {
          const expected = [...list, Number.POSITIVE_INFINITY].findIndex((bound) => value <= bound)
          expect(finder.placeOf(value)).toBe(2 + expected)
        }
      }),
    )
  })

  it('is found among a thousand adjacent bounds', () => {
    const list = Array.from({ length: 1_000 }, (_, at) => at + 1)
    const finder = new BucketFinder(list, 0)
    for (const value of [0, 0.5, 1, 1.5, 511, 512, 512.5, 999.9, 1_000, 1_000.1, 1e300]) {
      expect(finder.placeOf(value)).toBe(Math.min(1_000, Math.max(0, Math.ceil(value) - 1)))
    }
  })

  it('is created once per bound, for bounds in any order', () => {
    expect(timerSnapshot({ slo: [5, 1, 5, 0.1] }, [0.05, 0.1, 0.2, 5, 6]).buckets).toEqual({
      bounds: [0.1, 1, 5],
      counts: [2, 1, 1, 1],
    })
  })

  it('counts add up to the count of the distribution', () => {
    fc.assert(
      fc.property(bounds, fc.array(everyday), (slo, values) => {
        const { buckets, count } = timerSnapshot({ slo }, values)
        expect(buckets?.counts.reduce((sum, each) => sum + each, 0)).toBe(count)
        expect(count).toBe(values.length)
      }),
    )
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('rejects the bound %s', (bound) => {
    expect(() => createMeterRegistry().timer('work', {}, { slo: [1, bound] })).toThrow(RangeError)
  })
})

it('shares its bounds with all series of the same configuration only', () => {
  const registry = createMeterRegistry()
  const boundsOf = (name: string, slo: number[]) => {
    registry.timer(name, {}, { slo }).record(1)
    return snapshotOf(registry, 'timer', name).buckets?.bounds
  }
  expect(boundsOf('a', [1, 2])).toBe(boundsOf('b', [2, 1]))
  expect(boundsOf('a', [1, 2])).not.toBe(boundsOf('c', [1, 3]))
})

it('has the same configuration with exponential buckets that are true as with those that have no options', () => {
  const registry = createMeterRegistry()
  const boundsOf = (name: string, exponential: boolean | Record<string, never>) => {
    registry.timer(name, {}, { slo: [1], exponential })
    return snapshotOf(registry, 'timer', name).buckets?.bounds
  }
  expect(boundsOf('a', true)).toBe(boundsOf('b', {}))
})

describe('percentile histogram', () => {
  // What Micrometer 1.17 makes for a timer between 1 ms and 30 s.
  const golden = `
    0.001 0.001048576 0.001398101 0.001747626 0.002097151 0.002446676 0.002796201 0.003145726 0.003495251 0.003844776
    0.004194304 0.005592405 0.006990506 0.008388607 0.009786708 0.011184809 0.01258291 0.013981011 0.015379112
    0.016777216 0.022369621 0.027962026 0.033554431 0.039146836 0.044739241 0.050331646 0.055924051 0.061516456
    0.067108864 0.089478485 0.111848106 0.134217727 0.156587348 0.178956969 0.20132659 0.223696211 0.246065832
    0.268435456 0.357913941 0.447392426 0.536870911 0.626349396 0.715827881 0.805306366 0.894784851 0.984263336
    1.073741824 1.431655765 1.789569706 2.147483647 2.505397588 2.863311529 3.22122547 3.579139411 3.937053352
    4.294967296 5.726623061 7.158278826 8.589934591 10.021590356 11.453246121 12.884901886 14.316557651 15.748213416
    17.179869184 22.906492245 28.633115306 30.0`
    .trim()
    .split(/\s+/)
    .map(Number)

  it("has Micrometer's 68 bounds for a timer", () => {
    expect(timerSnapshot({ percentileHistogram: true }, []).buckets?.bounds).toEqual(golden)
  })

  it('selects from 275 finite bounds', () => {
    expect(percentileBounds).toHaveLength(275)
    expect(percentileBounds.slice(0, 22)).toEqual([
      1n,
      2n,
      3n,
      4n,
      5n,
      6n,
      7n,
      8n,
      9n,
      10n,
      11n,
      12n,
      13n,
      14n,
      16n,
      21n,
      26n,
      31n,
      36n,
      41n,
      46n,
      51n,
    ])
  })

  it('covers the expected values, with objectives added', () => {
    const options = { percentileHistogram: true, minimumExpectedValue: 1, maximumExpectedValue: 2, slo: [1.5, 10] }
    expect(timerSnapshot(options, []).buckets?.bounds).toEqual([1, 1.073741824, 1.431655765, 1.5, 1.789569706, 2, 10])
  })

  it('has one bound if the expected values are one', () => {
    const options = { percentileHistogram: true, minimumExpectedValue: 2, maximumExpectedValue: 2 }
    expect(timerSnapshot(options, []).buckets?.bounds).toEqual([2])
  })

  it('has no upper limit for a summary by default', () => {
    const registry = createMeterRegistry()
    registry.summary('size', {}, { percentileHistogram: true })
    const { buckets } = snapshotOf(registry, 'summary', 'size')
    expect(buckets?.bounds).toHaveLength(275)
    expect(buckets?.bounds[0]).toBe(1)
  })

  it.each([
    [{ minimumExpectedValue: 0 }],
    [{ minimumExpectedValue: 5, maximumExpectedValue: 4 }],
    [{ maximumExpectedValue: Number.NaN }],
  ])('rejects %j', (options) => {
    expect(() => timerSnapshot({ percentileHistogram: true, ...options }, [])).toThrow(RangeError)
  })
})

describe('percentiles', () => {
  it('are within 1.6 percent of the value of that rank', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-8, max: 1e15, noNaN: true }), { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, quantile) => {
          const [percentile] = timerSnapshot({ percentiles: [quantile] }, values).percentiles ?? []
          const sorted = [...values].sort((one, other) => one - other)
          const exact = sorted[Math.max(1, Math.ceil(quantile * values.length)) - 1] ?? 0
          expect(Math.abs((percentile?.value ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.016)
        },
      ),
    )
  })

  it('are ascending, each once, and at most the maximum', () => {
    expect(timerSnapshot({ percentiles: [1, 0, 0.5, 1] }, [0, 0, 3]).percentiles).toEqual([
      { quantile: 0, value: 0 },
      { quantile: 0.5, value: 0 },
      { quantile: 1, value: 3 },
    ])
  })

  it('are zero when nothing was recorded', () => {
    expect(timerSnapshot({ percentiles: [0.99] }, []).percentiles).toEqual([{ quantile: 0.99, value: 0 }])
  })

  it.each([-0.1, 1.1, 95, Number.NaN])('reject the quantile %s', (quantile) => {
    expect(() => timerSnapshot({ percentiles: [quantile] }, [])).toThrow(RangeError)
  })
})

describe('exponential buckets', () => {
  it('hold every value between their lower bound, exclusive, and their upper bound, inclusive', () => {
    const value = fc.oneof(
      everyday,
      positive.filter((number) => number >= 2 ** -1022),
      fc.integer({ min: -300, max: 300 }).map((power) => 2 ** power),
    )
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 2, max: 160 }),
        (values, maximumBuckets) => {
          const { exponential } = timerSnapshot({ exponential: { maximumBuckets } }, values)
          if (exponential === undefined) throw new Error('there are none')
          const { scale, offset, counts } = exponential
          expect(counts.length).toBeLessThanOrEqual(maximumBuckets)
          const expected = new Array<number>(counts.length).fill(0)
          for (const each of values) {
            const at = exactIndex(each, scale) - offset
            expected[at] = (expected[at] ?? 0) + 1
          }
          expect(counts).toEqual(expected)
        },
      ),
    )
  })

  it('keep the finest scale while it fits', () => {
    expect(timerSnapshot({ exponential: true }, [1, 1.1, 1.2]).exponential?.scale).toBe(8)
    expect(timerSnapshot({ exponential: { maximumScale: 3 } }, [1, 1.1]).exponential?.scale).toBe(3)
    expect(timerSnapshot({ exponential: true }, [0.001, 1]).exponential?.scale).toBe(4)
  })

  it.each([
    [{ maximumBuckets: Number.NaN }, 'exponential.maximumBuckets: expected a whole number of 2 or more, received NaN'],
    [{ maximumBuckets: 1 }, 'exponential.maximumBuckets: expected a whole number of 2 or more, received 1'],
    [{ maximumBuckets: 2.5 }, 'exponential.maximumBuckets: expected a whole number of 2 or more, received 2.5'],
    [{ maximumScale: Number.NaN }, 'exponential.maximumScale: expected a whole number of -11 or more, received NaN'],
    [{ maximumScale: 3.5 }, 'exponential.maximumScale: expected a whole number of -11 or more, received 3.5'],
    [{ maximumScale: -12 }, 'exponential.maximumScale: expected a whole number of -11 or more, received -12'],
  ])('reject %j', (exponential, message) => {
    expect(() => timerSnapshot({ exponential }, [])).toThrow(new RangeError(message))
  })

  it('start with one bucket at the coarsest scale, and at the finest if a finer one is configured', () => {
    const scaleOf = (maximumScale: number) =>
      timerSnapshot({ exponential: { maximumScale } }, [Number.MIN_VALUE, 1, Number.MAX_VALUE]).exponential
    expect(scaleOf(-11)).toMatchObject({ scale: -11, offset: -1, counts: [2, 1] })
    expect(timerSnapshot({ exponential: { maximumScale: 20 } }, [1]).exponential?.scale).toBe(8)
  })

  it('count zeros separately, and start empty', () => {
    expect(timerSnapshot({ exponential: true }, [0, 0]).exponential).toEqual({
      scale: 8,
      zeroCount: 2,
      offset: 0,
      counts: [],
    })
  })

  it('can be combined with buckets and percentiles', () => {
    const { exponential, buckets, percentiles } = timerSnapshot(
      { exponential: true, slo: [1], percentiles: [1] },
      [0.5, 2],
    )
    expect([exponential?.counts.reduce((sum, count) => sum + count), buckets?.counts, percentiles]).toEqual([
      2,
      [1, 1],
      [{ quantile: 1, value: 2 }],
    ])
  })
})

describe('the cells of a distribution', () => {
  it.each<[string, DistributionOptions, number[], number[]]>([
    ['total, maximum and count', {}, [1, 3], [4, 3, 2]],
    ['the counts of buckets', { slo: [1, 10] }, [0.5, 4, 5, 40], [49.5, 40, 4, 1, 2, 1]],
    [
      'exponential buckets, before room for further ones',
      { exponential: { maximumBuckets: 4, maximumScale: 1 } },
      [0, 1, 2, 2],
      [5, 2, 4, 1, 1, -1, 3, 1, 0, 2, 0],
    ],
    [
      'buckets, then exponential ones',
      { slo: [1], exponential: { maximumBuckets: 4, maximumScale: 1 } },
      [0, 1, 2, 2],
      [5, 2, 4, 2, 2, 1, 1, -1, 3, 1, 0, 2, 0],
    ],
  ])('have %s, and change with them only', (_, options, values, expected) => {
    const registry = createMeterRegistry()
    const timer = registry.timer('work', {}, options)
    const { copy } = cellsOf(registry, 'work', expected.length)
    const nothing = expected.map(() => 0)
    expect(copy()).toEqual([false, [-1, ...nothing, -1]])
    for (const value of values) timer.record(value)
    expect([copy(), copy()]).toEqual([
      [true, [-1, ...expected, -1]],
      [false, [-1, ...expected, -1]],
    ])
  })

  it('change when the maximum leaves its window', () => {
    const clock = createManualClock()
    const registry = createMeterRegistry({ clock })
    registry.timer('work').record(5)
    const { copy } = cellsOf(registry, 'work', 3)
    expect(copy()).toEqual([true, [-1, 5, 5, 1, -1]])
    clock.advance(180_000)
    expect(copy()).toEqual([true, [-1, 5, 0, 1, -1]])
  })

  it.each<[DistributionOptions, object]>([
    [{}, { bounds: [], exponentialBuckets: undefined }],
    [
      { slo: [2, 1], exponential: true },
      { bounds: [1, 2], exponentialBuckets: 160 },
    ],
    [{ exponential: { maximumBuckets: 20 } }, { bounds: [], exponentialBuckets: 20 }],
  ])('of %j are for the buckets %j', (options, layout) => {
    const registry = createMeterRegistry()
    registry.timer('work', {}, options)
    expect(storedMeter(registry, 'work').bucketLayout?.()).toEqual(layout)
  })
})

/** By whole powers of two, which are exact, and square roots of two down to the scale, as the definition says. */
function exactIndex(value: number, scale: number): number {
  const exponent = floorLog2(value)
  if (scale <= 0) {
    const isPower = value === 2 ** exponent
    return Math.floor((isPower ? exponent - 1 : exponent) / 2 ** -scale)
  }
  const parts = 2 ** scale
  const fraction = value / 2 ** exponent
  let part = 0
  while (part < parts && 2 ** (part / parts) < fraction) part++
  return exponent * parts + part - 1
}

function floorLog2(value: number): number {
  let exponent = Math.round(Math.log2(value))
  while (2 ** exponent > value) exponent--
  while (2 ** (exponent + 1) <= value) exponent++
  return exponent
}
