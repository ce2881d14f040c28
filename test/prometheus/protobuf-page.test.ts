import fc from 'fast-check'
import { createMeterRegistry, type MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import type { Exemplar } from '../../src/metrics/snapshot.ts'
import { prometheusProtobuf } from '../../src/prometheus/exposition/protobuf/prometheus-protobuf.ts'
import { ProtobufPage } from '../../src/prometheus/exposition/protobuf/protobuf-page.ts'
import { createScraper } from '../../src/prometheus/scraper.ts'
import { arbitrarySeries } from './arbitrary-series.ts'
import {
  type DecodedFamily,
  type DecodedHistogram,
  type DecodedMetric,
  decodeFamilies,
  nativeBuckets,
} from './decode-families.ts'
import { expectedSamples } from './expected-samples.ts'
import { goldenSeries } from './golden-series.ts'
import { comparable, samplesOf } from './protobuf-samples.ts'
import { renderAtOnce } from './render.ts'
import { counter, gauge, longTaskTimer, summary, timer } from './snapshots.ts'

const protobuf = { ...prometheusProtobuf, createPage: () => new ProtobufPage() }

function familiesOf(series: readonly MeterSnapshot[]): readonly DecodedFamily[] {
  return decodeFamilies(renderAtOnce(series, protobuf).bytes)
}

function familyOf(series: readonly MeterSnapshot[], name: string): DecodedFamily {
  const found = familiesOf(series).filter((family) => family.name === name)
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} families ${name}`)
  return found[0]
}

function histogramOf(series: readonly MeterSnapshot[], name = 'a_seconds'): DecodedHistogram {
  const histogram = familyOf(series, name).metric[0]?.histogram
  if (histogram === undefined) throw new Error('no histogram')
  return histogram
}

const exemplar: Exemplar = {
  value: 0.043,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  timestamp: 1_700_000_060.25,
}
const decodedExemplar = {
  label: [
    { name: 'trace_id', value: exemplar.traceId },
    { name: 'span_id', value: exemplar.spanId },
  ],
  value: 0.043,
  timestamp: { seconds: 1_700_000_060, nanos: 250_000_000 },
}
const began = { seconds: 1_700_000_000, nanos: 500_000_000 }

describe('a page of protobuf', () => {
  it.each(Object.keys(goldenSeries))('has the series and values of the %s series', (name) => {
    const series = goldenSeries[name] ?? []
    const { bytes, conflicts } = renderAtOnce(series, protobuf)
    const expected = expectedSamples(series, 'openmetrics', conflicts)
    expect(comparable(samplesOf(decodeFamilies(bytes)))).toEqual(comparable(expected))
  })

  it('has the series and values of any registry, as the text formats have them', () => {
    fc.assert(
      fc.property(arbitrarySeries, (series) => {
        for (const round of ['first', 'cached']) {
          const { bytes, conflicts } = renderAtOnce(series, protobuf)
          const expected = comparable(expectedSamples(series, 'openmetrics', conflicts))
          expect(comparable(samplesOf(decodeFamilies(bytes))), round).toEqual(expected)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('is empty without series', () => {
    expect(renderAtOnce([], protobuf).bytes).toHaveLength(0)
  })

  it.each<[string, MeterSnapshot, Partial<DecodedFamily>, DecodedMetric]>([
    [
      'a counter',
      counter('received', 3, { baseUnit: 'bytes', tags: { region: 'eu' }, description: 'Received', exemplar }),
      { name: 'received_bytes_total', help: 'Received', type: 'COUNTER', unit: 'bytes' },
      {
        label: [{ name: 'region', value: 'eu' }],
        counter: { value: 3, exemplar: decodedExemplar, createdTimestamp: began },
      },
    ],
    [
      'a counter without _total',
      counter('jobs', 1, { verbatim: true }),
      { name: 'jobs', type: 'UNTYPED' },
      { label: [], untyped: { value: 1 } },
    ],
    [
      'a gauge',
      gauge('depth', -0.5),
      { name: 'depth', help: 'depth', type: 'GAUGE' },
      { label: [], gauge: { value: -0.5 } },
    ],
    [
      'an info, which is a gauge',
      gauge('application.info', 1, { tags: { version: '1.4.2' } }),
      { name: 'application_info', type: 'GAUGE' },
      { label: [{ name: 'version', value: '1.4.2' }], gauge: { value: 1 } },
    ],
    [
      'a summary',
      summary('size', { count: 3, total: 100.5, max: 60, percentiles: [{ quantile: 0.5, value: 30 }] }),
      { name: 'size', type: 'SUMMARY' },
      {
        label: [],
        summary: {
          sampleCount: 3,
          sampleSum: 100.5,
          quantile: [{ quantile: 0.5, value: 30 }],
          createdTimestamp: began,
        },
      },
    ],
  ])('has %s with its type and its start', (_, series, family, metric) => {
    const { metric: metrics, ...header } = familyOf([series], family.name ?? '')
    expect(header).toMatchObject(family)
    expect(metrics).toEqual([metric])
  })

  it('has classic buckets with exemplars, also beyond the last bound', () => {
    const buckets = { bounds: [0.1, 1], counts: [1, 4, 2] }
    const late = { ...exemplar, value: 12 }
    const series = [timer('a', { count: 7, total: 9.5, max: 12, buckets, exemplars: [undefined, exemplar, late] })]
    expect(histogramOf(series)).toEqual({
      sampleCount: 7,
      sampleSum: 9.5,
      bucket: [
        { cumulativeCount: 1, upperBound: 0.1 },
        { cumulativeCount: 5, upperBound: 1, exemplar: decodedExemplar },
        { cumulativeCount: 7, upperBound: Number.POSITIVE_INFINITY, exemplar: { ...decodedExemplar, value: 12 } },
      ],
      positiveSpan: [],
      positiveDelta: [],
      negativeSpan: [],
      negativeDelta: [],
      negativeCount: [],
      positiveCount: [],
      exemplars: [],
      createdTimestamp: began,
    })
    expect(familyOf(series, 'a_seconds_max').metric).toEqual([{ label: [], gauge: { value: 12 } }])
  })

  it('has the buckets of running tasks as a gauge histogram, and count and sum by the names of OpenMetrics', () => {
    const buckets = { bounds: [30], counts: [2, 1] }
    const families = familiesOf([longTaskTimer('jobs', { activeTasks: 3, duration: 95.5, max: 60, buckets })])
    expect(families.map(({ name, type }) => [name, type])).toEqual([
      ['jobs_seconds', 'GAUGE_HISTOGRAM'],
      ['jobs_seconds_gcount', 'GAUGE'],
      ['jobs_seconds_gsum', 'GAUGE'],
      ['jobs_seconds_max', 'GAUGE'],
    ])
    expect(families[0]?.metric[0]?.histogram).toMatchObject({
      sampleCount: 3,
      sampleSum: 95.5,
      bucket: [{ cumulativeCount: 2, upperBound: 30 }],
    })
    expect(families.slice(1).map(({ metric: [metric] }) => metric?.gauge?.value)).toEqual([3, 95.5, 60])
  })

  it('has no start that is not known', () => {
    const { metric } = familyOf([counter('a', 1, { created: Number.NaN })], 'a_total')
    expect(metric).toEqual([{ label: [], counter: { value: 1 } }])
  })

  it.each([
    ['without a timestamp', { ...exemplar, timestamp: Number.NaN }],
    ['with labels of more than 128 characters', { ...exemplar, traceId: 'x'.repeat(105) }],
  ])('has no exemplar %s', (_, unusable) => {
    const { metric } = familyOf([counter('a', 1, { exemplar: unusable })], 'a_total')
    expect(metric[0]?.counter?.exemplar).toBeUndefined()
  })

  it('has the current values of series that were written before', () => {
    const registry = createMeterRegistry()
    const counters = registry.counters('orders', ['region'])
    for (let index = 0; index < 100; index++) counters.with(`r${index}`).increment(index)
    const valuesOf = () => {
      const families = familiesOf([...registry.snapshot()])
      return new Map(families.flatMap(({ metric }) => metric.map((one) => [one.label[0]?.value, one.counter?.value])))
    }
    valuesOf()
    for (let index = 0; index < 100; index++) counters.with(`r${index}`).increment()
    const values = valuesOf()
    for (let index = 0; index < 100; index++) expect(values.get(`r${index}`)).toBe(index + 1)
  })

  it('has a family of more than a megabyte as several messages of the same name', async () => {
    const registry = createMeterRegistry({ maximumSeriesPerMeter: 50_000 })
    const counters = registry.counters('orders', ['region'], { description: 'Orders' })
    for (let index = 0; index < 30_000; index++) counters.with(`region ${index}`).increment(index)
    const chunks: Uint8Array[] = []
    for await (const chunk of createScraper(registry).scrape(prometheusProtobuf)) chunks.push(chunk)
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(65_536)
    const families = decodeFamilies(Buffer.concat(chunks))
    expect(families.length).toBeGreaterThan(1)
    for (const { metric: _, ...header } of families) {
      expect(header).toEqual({ name: 'orders_total', help: 'Orders', type: 'COUNTER' })
    }
    const values = families.flatMap(({ metric }) => metric.map((each) => each.counter?.value))
    expect(values.toSorted((one = 0, other = 0) => one - other)).toEqual(Array.from({ length: 30_000 }, (_, at) => at))
  })
})

describe('a native histogram', () => {
  const exponential = { scale: 3, zeroCount: 2, offset: -10, counts: [1, 0, 0, 4, ...Array(20).fill(0), 7] }

  it('is in the same message as the classic buckets', () => {
    const buckets = { bounds: [0.5], counts: [7, 7] }
    const histogram = histogramOf([{ ...timer('a', { count: 14, total: 9, buckets }), exponential }])
    expect(histogram).toMatchObject({
      sampleCount: 14,
      bucket: [{ cumulativeCount: 7, upperBound: 0.5 }],
      schema: 3,
      zeroCount: 2,
      positiveSpan: [
        { offset: -9, length: 4 },
        { offset: 20, length: 1 },
      ],
      positiveDelta: [1, -1, 0, 4, 3],
    })
  })

  it('has its exemplars itself if there are no classic buckets', () => {
    const histogram = histogramOf([{ ...timer('a', { count: 14, exemplars: [exemplar] }), exponential }])
    expect(histogram.exemplars).toEqual([decodedExemplar])
    expect(histogram.bucket).toEqual([])
  })

  it('without measurements has a span without buckets, by which Prometheus recognizes it', () => {
    const empty = { scale: 8, zeroCount: 0, offset: 0, counts: [] }
    const histogram = histogramOf([{ ...timer('a', { count: 0, total: 0 }), exponential: empty }])
    expect(histogram).toMatchObject({ schema: 8, positiveSpan: [{ offset: 0, length: 0 }], positiveDelta: [] })
  })

  it.each([
    ['a schema that Prometheus does not know', { ...exponential, scale: -5 }, 14],
    ['other counts than the series', exponential, 15],
  ])('is omitted with %s, which Prometheus would refuse', (_, unusable, count) => {
    const histogram = histogramOf([{ ...timer('a', { count, total: 1 }), exponential: unusable }])
    expect(histogram).toMatchObject({ sampleCount: count, positiveSpan: [], positiveDelta: [] })
    expect(histogram).not.toHaveProperty('schema')
  })

  it('counts each measurement in the bucket with its value, at any scale', () => {
    const amounts = fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 100 })
    fc.assert(
      fc.property(amounts, fc.integer({ min: -4, max: 8 }), fc.boolean(), (values, maximumScale, withZero) => {
        const registry = createMeterRegistry()
        const recorded = registry.summary('a', {}, { exponential: { maximumScale } })
        for (const value of values) recorded.record(value)
        if (withZero) recorded.record(0)
        const histogram = histogramOf([...registry.snapshot()], 'a')
        const { schema = Number.NaN, zeroCount = 0, sampleCount } = histogram
        const buckets = nativeBuckets(histogram)
        expect(sampleCount).toBe(values.length + (withZero ? 1 : 0))
        expect(zeroCount).toBe(withZero ? 1 : 0)
        expect([...buckets.values()].reduce((sum, count) => sum + count, 0)).toBe(values.length)
        for (const value of values) {
          const index = Math.log2(value) * 2 ** schema
          const near = [Math.ceil(index - 1e-6), Math.ceil(index + 1e-6)]
          expect(
            near.some((at) => (buckets.get(at) ?? 0) > 0),
            `${value} at ${near}`,
          ).toBe(true)
        }
      }),
    )
  })

  it('counts a measurement on a bound in the bucket below it', () => {
    const registry = createMeterRegistry()
    const recorded = registry.summary('a', {}, { exponential: { maximumScale: 0 } })
    for (const value of [0.25, 0.5, 1, 1.5, 2, 8]) recorded.record(value)
    const buckets = nativeBuckets(histogramOf([...registry.snapshot()], 'a'))
    expect([...buckets].filter(([, count]) => count > 0)).toEqual([
      [-2, 1],
      [-1, 1],
      [0, 1],
      [1, 2],
      [3, 1],
    ])
  })
})
