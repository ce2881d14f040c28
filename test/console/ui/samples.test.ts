import { describe, expect, it } from 'vitest'
import { type HistoryDocument, type Vitals, vitalNames } from '../../../src/console/documents.ts'
import { addSample, columnOf, mergeHistory, noSamples } from '../../../src/console/ui/samples.ts'

const sampleAt = (seconds: number): Vitals => {
  const values = Object.fromEntries(vitalNames.map((name) => [name, seconds]))
  return { at: seconds * 1_000, ...values } as Vitals
}

const historyOf = (...seconds: readonly number[]): HistoryDocument => {
  const values = Object.fromEntries(vitalNames.map((name) => [name, seconds])) as unknown as HistoryDocument['values']
  return { now: 0, step: 1, times: seconds.map((each) => each * 1_000), values }
}

describe('the samples of the page', () => {
  it('continue the history of the service', () => {
    const samples = addSample(mergeHistory(noSamples, historyOf(1, 2, 3)), sampleAt(4))
    expect(samples.times).toEqual([1_000, 2_000, 3_000, 4_000])
    expect(columnOf(samples, 'cpu')).toEqual([1, 2, 3, 4])
  })

  it('ignore a sample that the history has', () => {
    const samples = mergeHistory(noSamples, historyOf(1, 2, 3))
    expect(addSample(samples, sampleAt(3))).toBe(samples)
  })

  it('mark a gap of the stream by a sample without values', () => {
    const samples = addSample(mergeHistory(noSamples, historyOf(1, 2)), sampleAt(10))
    expect(samples.times).toEqual([1_000, 2_000, 3_000, 10_000])
    expect(columnOf(samples, 'cpu')).toEqual([1, 2, null, 10])
  })

  it('keep what was before a restart, mark the gap, and replace what both have', () => {
    const before = mergeHistory(noSamples, historyOf(1, 2, 8, 9))
    const samples = mergeHistory(before, historyOf(8, 9, 10))
    expect(columnOf(samples, 'p99')).toEqual([1, 2, null, 8, 9, 10])
    expect(mergeHistory(samples, historyOf())).toBe(samples)
  })

  it('stay ascending when the clock of the service is set back, with a gap', () => {
    const before = mergeHistory(noSamples, historyOf(1, 2, 3, 4, 5))
    const near = addSample(addSample(before, sampleAt(3.5)), sampleAt(4.5))
    expect(near.times).toEqual([1_000, 2_000, 3_000, 3_250, 3_500, 4_500])
    expect(columnOf(near, 'cpu')).toEqual([1, 2, 3, null, 3.5, 4.5])
    const far = addSample(addSample(before, sampleAt(-3_600)), sampleAt(-3_599))
    expect(columnOf(far, 'cpu')).toEqual([-3_600, -3_599])
  })

  it('stay ascending when it was set back within the history', () => {
    const samples = mergeHistory(noSamples, historyOf(1, 2, 3, 4, 5, 3.5, 4.5))
    expect(samples.times).toEqual([1_000, 2_000, 3_000, 3_250, 3_500, 4_500])
    expect(columnOf(samples, 'p99')).toEqual([1, 2, 3, null, 3.5, 4.5])
    expect(mergeHistory(noSamples, historyOf(9, 8, 7)).times).toEqual([7_000])
    expect(mergeHistory(samples, historyOf(90, 91, -60)).times).toEqual([-60_000])
  })

  it('are limited to a quarter of an hour', () => {
    let samples = mergeHistory(noSamples, historyOf(...Array.from({ length: 899 }, (_, index) => index)))
    for (const seconds of [899, 900, 901]) samples = addSample(samples, sampleAt(seconds))
    expect(samples.times).toHaveLength(900)
    expect(columnOf(samples, 'rss')).toHaveLength(900)
    expect(samples.times.at(-1)).toBe(901_000)
  })

  it('have as many values as times before there are any', () => {
    expect(columnOf(noSamples, 'cpu')).toEqual([])
    expect(columnOf({ times: [1, 2], values: {} }, 'cpu')).toEqual([null, null])
  })
})
