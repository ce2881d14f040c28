import { describe, expect, it } from 'vitest'
import { type CountedSnapshot, temporalityOf } from '../../../src/otlp/metrics/temporality.ts'

const id = { name: 'orders', tags: {} }
const counterOf = (value: number, created = 5) =>
  ({ kind: 'counter', id, value, created }) as unknown as CountedSnapshot
const functionTimerOf = (count: number, total: number) =>
  ({ kind: 'functionTimer', id, count, total, created: 5 }) as unknown as CountedSnapshot
const timerOf = (count: number, total: number, counts?: readonly number[]) =>
  ({
    ...{ kind: 'timer', id, count, total, created: 5, exponential: undefined },
    buckets: counts && { bounds: [1, 2], counts },
  }) as unknown as CountedSnapshot

describe('cumulative counts', () => {
  it('are those since the series exists, or since the process does where that is unknown', () => {
    const { isDelta, counted, acknowledge } = temporalityOf('cumulative')
    const known = counterOf(3)
    acknowledge([known], 7)
    expect(isDelta(known)).toBe(false)
    expect(counted(known)).toEqual({ snapshot: known, start: 5 })
    expect(counted(counterOf(3, Number.NaN))?.start).toBe(performance.timeOrigin / 1_000)
  })
})

describe('counts since the last export', () => {
  it('are repeated until an export is acknowledged, and absent while nothing is counted', () => {
    const { counted, acknowledge } = temporalityOf('delta')
    expect(counted(counterOf(3))).toEqual({ snapshot: counterOf(3), start: 5 })
    expect(counted(counterOf(4))).toEqual({ snapshot: counterOf(4), start: 5 })
    acknowledge([counterOf(4)], 7)
    expect(counted(counterOf(4))).toBeUndefined()
    expect(counted(counterOf(9))).toEqual({ snapshot: counterOf(5), start: 7 })
  })

  it.each([
    ['a counter that has restarted', counterOf(8), counterOf(2), counterOf(2)],
    ['a timer that has restarted', timerOf(8, 80), timerOf(2, 90), timerOf(2, 90)],
    ['a timer whose total has restarted', timerOf(8, 80), timerOf(9, 10), timerOf(9, 10)],
    ['another kind of meter', counterOf(8), timerOf(9, 90), timerOf(9, 90)],
    ['another kind of timer', timerOf(8, 80), functionTimerOf(9, 90), functionTimerOf(9, 90)],
    ['a counter after a timer', timerOf(8, 80), counterOf(9), counterOf(9)],
    ['a timer of a function', functionTimerOf(8, 80), functionTimerOf(9, 90), functionTimerOf(1, 10)],
    ['a timer with buckets', timerOf(3, 30, [1, 2]), timerOf(9, 90, [3, 6]), timerOf(6, 60, [2, 4])],
    ['a timer that has buckets since', timerOf(3, 30), timerOf(9, 90, [3, 6]), timerOf(6, 60, [3, 6])],
  ])('of %s are what was counted since', (_, before, now, difference) => {
    const { isDelta, counted, acknowledge } = temporalityOf('delta')
    acknowledge([before], 7)
    expect(isDelta(now)).toBe(true)
    expect(counted(now)).toEqual({ snapshot: difference, start: 7 })
  })
})

describe('counts with little memory', () => {
  it('are cumulative where each value is read from the application', () => {
    const { isDelta, counted, acknowledge } = temporalityOf('lowmemory')
    const [timer, counter] = [functionTimerOf(3, 30), counterOf(3)]
    expect([isDelta(timer), isDelta(counter)]).toEqual([false, true])
    acknowledge([timer, counter], 7)
    expect(counted(timer)).toEqual({ snapshot: timer, start: 5 })
    expect(counted(counter)).toBeUndefined()
  })
})
