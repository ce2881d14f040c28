import type { MetricData } from '@opentelemetry/sdk-metrics'
import type { MeterRegistry } from 'upkeep'
import { createMeterRegistry, type MeterSnapshot, type SnapshotSource } from 'upkeep/metrics'
import { createMetricProducer } from 'upkeep/otlp'
import { afterEach, describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { createManualClock } from '../../support/manual-clock.ts'

const registries: MeterRegistry[] = []
afterEach(() => {
  for (const registry of registries.splice(0)) registry.close()
})

/** What a registry that was filled at 1.5 s sends at 61.5 s. */
async function produce(fill: (meters: MeterRegistry) => void): Promise<readonly MetricData[]> {
  const clock = createManualClock()
  clock.advance(1_500)
  const meters = createMeterRegistry({ clock })
  registries.push(meters)
  fill(meters)
  clock.advance(60_000)
  return collect(meters, clock)
}

async function collect(source: SnapshotSource, clock = createManualClock()): Promise<readonly MetricData[]> {
  const { errors, resourceMetrics } = await createMetricProducer(source, { clock }).collect()
  expect(errors).toEqual([])
  for (const { scope } of resourceMetrics.scopeMetrics)
    expect(scope).toEqual({ name: 'upkeep', version: manifest.version })
  return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
}

const start = [1, 500_000_000]
const end = [61, 500_000_000]
const cumulative = 1
const histogram = 0
const exponential = 1
const gauge = 2
const sum = 3
const descriptor = (name: string, unit = '', description = '') => ({ name, unit, description, valueType: 1 })

describe('createMetricProducer', () => {
  it('converts a counter to a monotonic sum, one metric for all of its series', async () => {
    const metrics = await produce((meters) => {
      const options = { description: 'Orders placed', baseUnit: 'bytes' }
      meters.counter('orders.placed', { region: 'eu', vip: true }, options).increment(2.5)
      meters.counter('orders.placed', {}, options).increment(Number.MAX_SAFE_INTEGER)
    })
    expect(metrics).toEqual([
      {
        descriptor: descriptor('orders.placed', 'By', 'Orders placed'),
        aggregationTemporality: cumulative,
        dataPointType: sum,
        isMonotonic: true,
        dataPoints: [
          { startTime: start, endTime: end, attributes: {}, value: Number.MAX_SAFE_INTEGER },
          { startTime: start, endTime: end, attributes: { region: 'eu', vip: 'true' }, value: 2.5 },
        ],
      },
    ])
  })

  it('converts gauges, infinite ones too, and omits one without a value', async () => {
    const metrics = await produce((meters) => {
      meters.gauge('a', {}, () => -3)
      meters.gauge('b', {}, () => Number.NaN)
      meters.gauge('c', {}, () => Number.POSITIVE_INFINITY)
    })
    expect(
      metrics.map(({ descriptor: { name }, dataPointType, dataPoints }) => [name, dataPointType, dataPoints]),
    ).toEqual([
      ['a', gauge, [{ startTime: end, endTime: end, attributes: {}, value: -3 }]],
      ['c', gauge, [{ startTime: end, endTime: end, attributes: {}, value: Number.POSITIVE_INFINITY }]],
    ])
  })

  it('converts a timer without buckets to a histogram of one bucket, in seconds, and a gauge', async () => {
    const metrics = await produce((meters) => {
      const timer = meters.timer('feed.parsing')
      timer.record(0.25)
      timer.record(0.5)
    })
    expect(metrics).toEqual([
      {
        descriptor: descriptor('feed.parsing', 's'),
        aggregationTemporality: cumulative,
        dataPointType: histogram,
        dataPoints: [
          {
            startTime: start,
            endTime: end,
            attributes: {},
            value: { buckets: { boundaries: [], counts: [2] }, sum: 0.75, count: 2 },
          },
        ],
      },
      {
        descriptor: descriptor('feed.parsing.max', 's'),
        aggregationTemporality: cumulative,
        dataPointType: gauge,
        dataPoints: [{ startTime: end, endTime: end, attributes: {}, value: 0.5 }],
      },
    ])
  })

  it('converts the buckets of a summary, and its percentiles to gauges', async () => {
    const metrics = await produce((meters) => {
      const sizes = meters.summary('size', { kind: 'a' }, { baseUnit: 'bytes', slo: [10, 100], percentiles: [0.5] })
      for (const size of [5, 10, 50, 500]) sizes.record(size)
    })
    expect(metrics.map(({ descriptor: { name, unit } }) => [name, unit])).toEqual([
      ['size', 'By'],
      ['size.max', 'By'],
      ['size.percentile', 'By'],
    ])
    expect(metrics[0]?.dataPoints[0]?.value).toEqual({
      buckets: { boundaries: [10, 100], counts: [2, 1, 1] },
      sum: 565,
      count: 4,
    })
    expect(metrics[2]?.dataPoints[0]?.attributes).toEqual({ kind: 'a', quantile: '0.5' })
  })

  it('converts the other buckets of a meter that has exponential ones as well', async () => {
    const metrics = await produce((meters) => {
      meters.timer('t', {}, { slo: [1], exponential: true }).record(0.5)
    })
    expect(metrics[0]).toMatchObject({
      dataPointType: histogram,
      dataPoints: [{ value: { buckets: { boundaries: [1], counts: [1, 0] } } }],
    })
  })

  it('converts exponential buckets', async () => {
    const metrics = await produce((meters) => {
      const timer = meters.timer('t', {}, { exponential: { maximumScale: 0 } })
      for (const seconds of [0, 1, 2, 3]) timer.record(seconds)
    })
    expect(metrics[0]).toMatchObject({
      dataPointType: exponential,
      dataPoints: [
        {
          value: {
            count: 4,
            sum: 6,
            scale: 0,
            zeroCount: 1,
            // (0.5, 1], (1, 2], (2, 4]
            positive: { offset: -1, bucketCounts: [1, 1, 1] },
            negative: { offset: 0, bucketCounts: [] },
          },
        },
      ],
    })
  })

  it('converts a function timer to a histogram, and a function counter to a sum', async () => {
    const metrics = await produce((meters) => {
      meters.functionTimer('gc', {}, () => ({ count: 3, total: 0.5 }))
      meters.functionCounter('hits', {}, () => 7)
    })
    expect(metrics.map(({ dataPointType, dataPoints }) => [dataPointType, dataPoints[0]?.value])).toEqual([
      [histogram, { buckets: { boundaries: [], counts: [3] }, sum: 0.5, count: 3 }],
      [sum, 7],
    ])
  })

  it('converts a long task timer to gauges, since its values also decrease', async () => {
    const metrics = await produce((meters) => {
      meters.longTaskTimer('import').start()
      meters.longTaskTimer('import').start()
    })
    expect(
      metrics.map(({ descriptor: { name, unit }, dataPointType, dataPoints }) => [
        name,
        unit,
        dataPointType,
        dataPoints[0]?.value,
      ]),
    ).toEqual([
      ['import.active', '{task}', gauge, 2],
      ['import.duration', 's', gauge, 120],
      ['import.max', 's', gauge, 60],
    ])
  })

  it('returns no scope without metrics', async () => {
    const empty = createMetricProducer(createMeterRegistry())
    expect((await empty.collect()).resourceMetrics.scopeMetrics).toEqual([])
  })

  it('uses the start of the process for meters without a start time', async () => {
    const id = { name: 'x_total', tags: [], description: undefined, baseUnit: undefined }
    const counter: MeterSnapshot = { kind: 'counter', id, value: 1, created: Number.NaN, exemplar: undefined }
    const source: SnapshotSource = { names: () => [id.name], snapshot: () => [counter], slices: () => [[counter]] }
    const [metric] = await collect(source)
    expect(metric?.dataPoints[0]?.startTime[0]).toBe(Math.floor(performance.timeOrigin / 1_000))
  })

  it('refreshes its source first', async () => {
    const meters = createMeterRegistry()
    registries.push(meters)
    const refresh = async () => meters.counter('fresh').increment()
    const source = {
      names: () => meters.names(),
      snapshot: () => meters.snapshot(),
      slices: () => meters.slices(),
      refresh,
    }
    expect((await collect(source)).map(({ descriptor: { name } }) => name)).toEqual(['fresh'])
  })

  it('reports a source that throws, with the metrics read before', async () => {
    const meters = createMeterRegistry()
    registries.push(meters)
    meters.counter('a').increment()
    const failure = new Error('gone')
    const source: SnapshotSource = {
      names: () => [],
      snapshot: () => [],
      *slices() {
        yield* meters.slices()
        throw failure
      },
    }
    const { errors, resourceMetrics } = await createMetricProducer(source).collect()
    expect(errors).toEqual([failure])
    expect(resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)).toHaveLength(1)
  })
})
