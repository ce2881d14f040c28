import { describe, expect, it } from 'vitest'
import {
  type DependenciesDocument,
  type HistoryDocument,
  type VitalName,
  type Vitals,
  vitalNames,
} from '../../src/console/documents.ts'
import { mergeDependencies } from '../../src/console/members/merge-lists.ts'
import { mergePools } from '../../src/console/members/merge-overviews.ts'
import { mergeHistories, mergeVitals } from '../../src/console/members/merge-samples.ts'

const none = Object.fromEntries(vitalNames.map((name) => [name, null])) as Record<VitalName, null>

const vitals = (values: Partial<Vitals>): Vitals => ({ ...none, at: 0, ...values })

describe('the samples of members as one', () => {
  it('have sums of what adds up, the highest of other values, and processes once', () => {
    const merged = mergeVitals([
      { member: '0', pid: 1, document: vitals({ at: 5, requestRate: 2, p99: 0.1, rss: 100, cpu: 0.5, heapUsed: 10 }) },
      { member: '1', pid: 1, document: vitals({ at: 6, requestRate: 3, p99: 0.4, rss: 101, cpu: 0.5, heapUsed: 20 }) },
      { member: '2', pid: 2, document: vitals({ at: 4, requestRate: 5, p99: null, rss: 50, cpu: 0.2, heapUsed: 30 }) },
    ])
    expect(merged).toEqual({ ...vitals({ at: 6, requestRate: 10, p99: 0.4, rss: 150, cpu: 0.7, heapUsed: 60 }) })
  })

  it('have no gap where a member took its sample a little later', () => {
    const history = (times: readonly number[], rates: readonly number[]): HistoryDocument => {
      const values = Object.fromEntries(vitalNames.map((name) => [name, times.map(() => null)]))
      return { now: 9_000, step: 1, times, values: { ...values, requestRate: rates } as HistoryDocument['values'] }
    }
    const { times, values } = mergeHistories([
      { member: '0', pid: 1, document: history([1_010, 2_010, 3_010, 4_010], [1, 1, 1, 1]) },
      // Rounded to 1, 2 and 4.
      { member: '1', pid: 2, document: history([1_450, 2_480, 3_510], [10, 10, 20]) },
    ])
    expect(times).toEqual([1_000, 2_000, 3_000, 4_000])
    expect(values.requestRate).toEqual([11, 11, 11, 21])
    expect(values.p50).toEqual([null, null, null, null])
  })
})

describe('what members depend on as one', () => {
  it('has the calls of all, and the mean of all calls', () => {
    const document = (
      calls: number,
      meanSeconds: number | null,
      maximumSeconds: number | null,
    ): DependenciesDocument => ({
      ...{
        now: 1,
        omitted: 2,
        pools: [],
        tasks: [{ name: 'sweep', runs: calls, failures: 1, meanSeconds, maximumSeconds }],
      },
      outgoing: [
        { kind: 'http', target: 'payments', calls, errors: 1, meanSeconds, maximumSeconds, rate: 2, errorRate: 0.5 },
      ],
      caches: [{ name: 'cities', hits: calls, misses: 1, size: 4 }],
    })
    const merged = mergeDependencies([
      { member: '0', pid: 1, document: document(1, 0.4, 0.4) },
      { member: '1', pid: 2, document: document(3, 0.2, 0.9) },
      { member: '2', pid: 3, document: document(0, null, null) },
    ])
    expect(merged).toMatchObject({
      outgoing: [{ target: 'payments', calls: 4, errors: 3, maximumSeconds: 0.9, rate: 6, errorRate: 1.5 }],
      tasks: [{ name: 'sweep', runs: 4, failures: 3, maximumSeconds: 0.9 }],
      caches: [{ name: 'cities', hits: 4, misses: 3, size: 12 }],
      omitted: 6,
    })
    expect(merged.outgoing[0]?.meanSeconds).toBeCloseTo(0.25)
  })

  it('has the connections of pools of one name', () => {
    const pool = { name: 'main', used: 1, idle: 2, maximum: 10, waiting: 0 }
    expect(mergePools([[pool], [{ ...pool, used: 3 }], [{ ...pool, maximum: undefined }]])).toEqual([
      { name: 'main', used: 5, idle: 6, maximum: 20, waiting: 0 },
    ])
  })
})
