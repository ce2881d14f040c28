import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { listMeters, readMeter } from '../../src/console/screens/meters.ts'

/** Runs all turns of a reading; returns its result and how many turns there were. */
function run<T>(turns: Generator<undefined, T>): { readonly result: T; readonly turns: number } {
  for (let count = 1; ; count++) {
    const { done, value } = turns.next()
    if (done === true) return { result: value, turns: count }
  }
}

describe('listMeters', () => {
  it('lists meters by name, with the number of their series', () => {
    const meters = createMeterRegistry()
    meters.counter('orders', { kind: 'a' }).increment()
    meters.counter('orders', { kind: 'b' }).increment()
    meters.timer('mails').record(1)
    expect(run(listMeters(meters)).result).toEqual({
      meters: [
        { name: 'mails', kind: 'timer', description: undefined, unit: 'seconds', series: 1 },
        { name: 'orders', kind: 'counter', description: undefined, unit: undefined, series: 2 },
      ],
      omittedMeters: 0,
    })
  })

  it('lists 2,000 of 10,000 meters, in turns', () => {
    const meters = createMeterRegistry()
    for (let index = 0; index < 10_000; index++) meters.counter(`m${index}`).increment()
    const { result, turns } = run(listMeters(meters))
    expect(result.meters).toHaveLength(2_000)
    expect(result.omittedMeters).toBe(8_000)
    expect(turns).toBeGreaterThan(30)
  })

  it('lists meters of 500,000 characters', () => {
    const meters = createMeterRegistry()
    for (let index = 0; index < 1_000; index++) meters.counter(`${'m'.repeat(1_996)}${1_000 + index}`).increment()
    const { result } = run(listMeters(meters))
    expect([result.meters.length, result.omittedMeters]).toEqual([250, 750])
  })
})

describe('readMeter', () => {
  it('has 200 of 10,000 series and 100 values of each tag', () => {
    const meters = createMeterRegistry({ maximumSeriesPerMeter: 10_000 })
    for (let index = 0; index < 10_000; index++) meters.counter('orders', { customer: `c${index}` }).increment()
    const { result, turns } = run(readMeter(meters, 'orders', []))
    expect(result).toMatchObject({ omittedSeries: 9_800 })
    expect([result?.series.length, result?.tags['customer']?.length]).toEqual([200, 100])
    expect(turns).toBeGreaterThan(30)
  })

  it('has series of 500,000 characters', () => {
    const meters = createMeterRegistry()
    for (let index = 0; index < 50; index++)
      meters.counter('orders', { id: `${'x'.repeat(40_000)}${index}` }).increment()
    const { result } = run(readMeter(meters, 'orders', []))
    expect(JSON.stringify(result).length).toBeLessThan(1_500_000)
    expect((result?.series.length ?? 0) + (result?.omittedSeries ?? 0)).toBe(50)
  })
})
