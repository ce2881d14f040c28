import { describe, expect, it } from 'vitest'
import type { MeterId, MeterSnapshot } from '../../../src/metrics/snapshot.ts'
import { jsonEncoding } from '../../../src/otlp/encoding/json-encoding.ts'
import { MetricsMessage } from '../../../src/otlp/metrics/metrics-message.ts'
import { temporalityOf } from '../../../src/otlp/metrics/temporality.ts'

const idOf = (name: string, changes: Partial<MeterId> = {}): MeterId => ({
  ...{ name, tags: [], description: undefined, baseUnit: undefined, ...changes },
})
const gaugeOf = (id: MeterId, value: number): MeterSnapshot => ({ kind: 'gauge', id, value })
const counterOf = (id: MeterId, value: number): MeterSnapshot => ({
  ...{ kind: 'counter', id, value, created: 1, exemplar: undefined },
})
const timerOf = (id: MeterId, count: number): MeterSnapshot => ({
  ...{ kind: 'timer', id, count, total: count, max: count, created: 1 },
  ...{ percentiles: undefined, buckets: undefined, exponential: undefined, exemplars: undefined },
})
const functionTimerOf = (id: MeterId, count: number): MeterSnapshot => ({
  ...{ kind: 'functionTimer', id, count, total: count, created: 1 },
})

function setUp(temporality: 'cumulative' | 'delta' | 'lowmemory' = 'cumulative') {
  const message = new MetricsMessage(jsonEncoding.createWriter(), {}, temporalityOf(temporality), 2)
  const take = () => {
    const request = message.take()
    if (request === undefined) return undefined
    const { resourceMetrics } = JSON.parse(Buffer.concat([...request.body]).toString())
    return { ...request, metrics: resourceMetrics[0].scopeMetrics[0].metrics }
  }
  return { message, take }
}

describe('a request for metrics', () => {
  it('counts its data points until it is taken', () => {
    const { message, take } = setUp()
    expect(take()).toBeUndefined()
    message.add([counterOf(idOf('a'), 1), counterOf(idOf('a', { tags: [{ key: 'k', value: 'v' }] }), 2)])
    message.add([timerOf(idOf('b'), 1)])
    message.add([gaugeOf(idOf('c'), Number.NaN), gaugeOf(idOf('c'), 1)])
    expect(message.count).toBe(5)
    expect(take()).toMatchObject({ count: 5, time: 2, deltas: [] })
    expect(message.count).toBe(0)
    message.add([counterOf(idOf('d'), 1)])
    expect(take()).toMatchObject({ count: 1, metrics: [{ name: 'd' }] })
  })

  it('has gauges of one name with different units as metrics of their own', () => {
    const { message, take } = setUp()
    const [bytes, seconds] = [idOf('size', { baseUnit: 'bytes' }), idOf('size', { baseUnit: 'seconds' })]
    message.add([gaugeOf(bytes, 1), gaugeOf(bytes, 2), gaugeOf(seconds, 3)])
    expect(take()?.metrics).toMatchObject([
      { name: 'size', unit: 'By', gauge: { dataPoints: [{ asDouble: 1 }, { asDouble: 2 }] } },
      { name: 'size', unit: 's', gauge: { dataPoints: [{ asDouble: 3 }] } },
    ])
  })

  it('has series of one name with different temporalities as metrics of their own', () => {
    const { message, take } = setUp('lowmemory')
    message.add([timerOf(idOf('t'), 1), functionTimerOf(idOf('t'), 2), timerOf(idOf('t'), 3)])
    const request = take()
    expect(request?.metrics).toMatchObject([
      { name: 't', histogram: { aggregationTemporality: 1, dataPoints: [{ count: '1' }] } },
      { name: 't', histogram: { aggregationTemporality: 2, dataPoints: [{ count: '2' }] } },
      { name: 't', histogram: { aggregationTemporality: 1, dataPoints: [{ count: '3' }] } },
      { name: 't.max' },
    ])
    expect(request?.deltas.map(({ kind }) => kind)).toEqual(['timer', 'timer'])
  })

  it('has one metric for the series of a name in several slices, also if others are beside them', () => {
    const { message, take } = setUp()
    message.add([timerOf(idOf('t'), 1)])
    message.add([timerOf(idOf('t'), 2)])
    expect(take()?.metrics).toMatchObject([
      { name: 't', histogram: { dataPoints: [{ count: '1' }, { count: '2' }] } },
      { name: 't.max', gauge: { dataPoints: [{ asDouble: 1 }, { asDouble: 2 }] } },
    ])
  })
})
