import type { DataPoint, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import fc from 'fast-check'
import type { MeterRegistry } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { deltaSinceAcknowledged } from '../../../src/otlp/metrics/temporality.ts'
import { createProducer } from '../../../src/otlp/official/metric-producer.ts'
import { createManualClock } from '../../support/manual-clock.ts'

function setUp() {
  const clock = createManualClock()
  const meters = createMeterRegistry({ clock })
  const temporality = deltaSinceAcknowledged(() => true)
  const producer = createProducer(meters, clock, temporality)
  const collect = async () => (await producer.collect()).resourceMetrics
  return { clock, meters, acknowledge: producer.acknowledge, collect }
}

const pointsOf = ({ scopeMetrics }: ResourceMetrics, wanted: string) =>
  scopeMetrics.flatMap(({ metrics }) =>
    metrics
      .filter(({ descriptor: { name } }) => name === wanted)
      .flatMap(({ dataPoints }): readonly DataPoint<unknown>[] => dataPoints),
  )

interface SentHistogram {
  readonly count: number
  readonly sum: number
  readonly buckets: { readonly counts: readonly number[] }
}

interface SentExponential {
  readonly count: number
  readonly zeroCount: number
  readonly scale: number
  readonly positive: { readonly offset: number; readonly bucketCounts: readonly number[] }
}

describe('delta temporality', () => {
  it('restarts with each delivered export, and continues after a failed one', async () => {
    const { clock, meters, acknowledge, collect } = setUp()
    const counter = meters.counter('c')
    counter.increment(5)
    clock.advance(1_000)
    const first = await collect()
    counter.increment(2)
    clock.advance(1_000)
    const second = await collect()
    acknowledge(second)
    counter.increment(3)
    clock.advance(1_000)
    const third = await collect()
    expect([first, second, third].map((sent) => pointsOf(sent, 'c')[0])).toEqual([
      { startTime: [0, 0], endTime: [1, 0], attributes: {}, value: 5 },
      { startTime: [0, 0], endTime: [2, 0], attributes: {}, value: 7 },
      { startTime: [2, 0], endTime: [3, 0], attributes: {}, value: 3 },
    ])
    expect(first.scopeMetrics[0]?.metrics[0]?.aggregationTemporality).toBe(0)
  })

  it('omits series without changes', async () => {
    const { meters, acknowledge, collect } = setUp()
    meters.counter('c').increment()
    meters.counter('unused')
    meters.timer('t').record(1)
    const first = await collect()
    acknowledge(first)
    const second = await collect()
    expect(['c', 'unused', 't'].map((name) => pointsOf(first, name).length)).toEqual([1, 0, 1])
    expect(['c', 'unused', 't'].map((name) => pointsOf(second, name).length)).toEqual([0, 0, 0])
  })

  it('acknowledges each batch of an export separately', async () => {
    const { meters, acknowledge, collect } = setUp()
    meters.counter('a').increment(1)
    meters.counter('b').increment(1)
    const [metrics] = (await collect()).scopeMetrics
    acknowledge({ scopeMetrics: metrics ? [{ ...metrics, metrics: metrics.metrics.slice(0, 1) }] : [] })
    const second = await collect()
    expect([pointsOf(second, 'a'), pointsOf(second, 'b')].map((points) => points[0]?.value)).toEqual([undefined, 1])
  })

  it('sends an external count from zero after it restarted', async () => {
    const { meters, acknowledge, collect } = setUp()
    let hits = 10
    meters.functionCounter('hits', {}, () => hits)
    acknowledge(await collect())
    hits = 4
    expect(pointsOf(await collect(), 'hits')[0]?.value).toBe(4)
  })

  const recordings = fc.array(
    fc.record({
      amounts: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true })), { maxLength: 20 }),
      arrives: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )

  it('sums to the recorded total, whichever exports fail', async () => {
    await fc.assert(
      fc.asyncProperty(recordings, async (steps) => {
        const { meters, acknowledge, collect } = setUp()
        const totals = { counter: 0, count: 0, sum: 0, buckets: [0, 0, 0], exponential: 0 }
        const amounts = steps.flatMap((step) => step.amounts)
        for (const step of [...steps, { amounts: [], arrives: true }]) {
          record(meters, step.amounts)
          const sent = await collect()
          if (!step.arrives) continue
          acknowledge(sent)
          for (const { value } of pointsOf(sent, 'c')) totals.counter += value as number
          for (const { value } of pointsOf(sent, 's')) {
            const { count, sum, buckets } = value as SentHistogram
            totals.count += count
            totals.sum += sum
            buckets.counts.forEach((each, at) => {
              totals.buckets[at] = (totals.buckets[at] ?? 0) + each
            })
          }
          for (const { value } of pointsOf(sent, 'e')) {
            const { count, zeroCount, positive } = value as SentExponential
            expect(positive.bucketCounts.every((each) => each >= 0)).toBe(true)
            expect(zeroCount + positive.bucketCounts.reduce((sum, each) => sum + each, 0)).toBe(count)
            totals.exponential += count
          }
        }
        meters.close()
        const sum = amounts.reduce((all, amount) => all + amount, 0)
        expect(totals.counter).toBeCloseTo(sum, 3)
        expect(totals.sum).toBeCloseTo(sum, 3)
        expect(totals.count).toBe(amounts.length)
        expect(totals.exponential).toBe(amounts.length)
        expect(totals.buckets).toEqual([
          amounts.filter((amount) => amount <= 10).length,
          amounts.filter((amount) => amount > 10 && amount <= 100).length,
          amounts.filter((amount) => amount > 100).length,
        ])
      }),
      { numRuns: 60 },
    )
  })

  function record(meters: MeterRegistry, amounts: readonly number[]): void {
    for (const amount of amounts) {
      meters.counter('c').increment(amount)
      meters.summary('s', {}, { slo: [10, 100] }).record(amount)
      // So few buckets that the scale falls on the way.
      meters.summary('e', {}, { exponential: { maximumBuckets: 8 } }).record(amount)
    }
  }
})
