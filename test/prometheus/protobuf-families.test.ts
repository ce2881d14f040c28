import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import type { MeterId } from '../../src/metrics/snapshot.ts'
import { prometheusProtobuf } from '../../src/prometheus/exposition/protobuf/prometheus-protobuf.ts'
import { ProtobufPage } from '../../src/prometheus/exposition/protobuf/protobuf-page.ts'
import { prometheusText } from '../../src/prometheus/exposition/text-format.ts'
import { exportedName } from '../../src/prometheus/naming.ts'
import { finish } from '../support/run-to-completion.ts'
import { decodeFamilies } from './decode-families.ts'
import { renderAtOnce } from './render.ts'
import { counter, functionTimer, gauge, longTaskTimer, meterId, timer } from './snapshots.ts'

const protobuf = { ...prometheusProtobuf, createPage: () => new ProtobufPage() }
const exemplar = {
  value: 1,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  timestamp: 1_700_000_060.25,
}

const familiesOf = (series: readonly MeterSnapshot[]) => decodeFamilies(renderAtOnce(series, protobuf).bytes)
const metricsOf = (series: readonly MeterSnapshot[]) => familiesOf(series).flatMap(({ metric }) => metric)

describe('a family in protobuf', () => {
  it('has the start of a counter to the second', () => {
    expect(metricsOf([counter('a', 1, { created: 1_700_000_000 })])).toEqual([
      { label: [], counter: { value: 1, createdTimestamp: { seconds: 1_700_000_000 } } },
    ])
  })

  it('has the current start of a counter that began again', () => {
    const first = counter('a', 5, { created: 1_700_000_000 })
    const again = { ...first, value: 2, created: 1_700_000_060 }
    metricsOf([first])
    expect(metricsOf([again])).toEqual([
      { label: [], counter: { value: 2, createdTimestamp: { seconds: 1_700_000_060 } } },
    ])
  })

  it('of a counter without _total has neither an exemplar nor a start', () => {
    expect(metricsOf([counter('jobs', 1, { verbatim: true, exemplar })])).toEqual([
      { label: [], untyped: { value: 1 } },
    ])
  })

  it('of infos omits a later series that is not 1', () => {
    const infos = Array.from({ length: 64 }, (_, index) => gauge('a.info', 1, { tags: { x: `${index}` } }))
    const metrics = metricsOf([...infos, gauge('a.info', 2, { tags: { x: 'late' } })])
    expect(metrics.map(({ gauge: written }) => written?.value)).toEqual(infos.map(() => 1))
  })

  it('of infos has any value if one of its first series is not 1', () => {
    const infos = [1, 2].map((value) => gauge('a.info', value, { tags: { x: `${value}` } }))
    expect(metricsOf(infos).map(({ gauge: written }) => written?.value)).toEqual([1, 2])
  })

  it('of many series is one message', () => {
    const many = (kind: (index: number) => MeterSnapshot) => Array.from({ length: 200 }, (_, index) => kind(index))
    const series = [
      ...many((index) => counter('a', index, { tags: { x: `${index}` } })),
      ...many((index) => timer('b', { max: index, tags: { x: `${index}` } })),
    ]
    expect(familiesOf(series).map(({ name, metric }) => [name, metric.length])).toEqual([
      ['a_total', 200],
      ['b_seconds', 200],
      ['b_seconds_max', 200],
    ])
  })

  const tasks = { activeTasks: 1, duration: 2, max: 2 }
  it.each<[string, (tags: Readonly<Record<string, string>>) => MeterSnapshot, readonly string[]]>([
    ['counters', (tags) => counter('a', 1, { tags }), ['a_total']],
    ['timers', (tags) => timer('a', { tags }), ['a_seconds', 'a_seconds_max']],
    ['running tasks', (tags) => longTaskTimer('a', { ...tasks, tags }), ['a_seconds', 'a_seconds_max']],
  ])('of %s omits a series whose labels another one has', (_, create, names) => {
    const series = [create({ 'x.y': '1' }), create({ x_y: '1' }), create({ x_y: '2' })]
    const { bytes, conflicts } = renderAtOnce(series, protobuf)
    const written = decodeFamilies(bytes).map(({ name, metric }) => [name, metric.map(({ label }) => label[0]?.value)])
    expect(written).toEqual(names.map((name) => [name, ['1', '2']]))
    expect(conflicts).toMatchObject([{ scope: 'series', kept: series[0]?.id, dropped: series[1]?.id }])
  })

  it.each([
    ['count', { count: Number.POSITIVE_INFINITY, total: 1 }],
    ['negative count', { count: -1, total: 1 }],
    ['negative sum', { count: 1, total: -1 }],
  ])('omits a function timer with an infinite or negative value: %s', (_, values) => {
    expect(familiesOf([functionTimer('a', values)])).toEqual([])
  })
})

describe('a native histogram', () => {
  it.each([
    ['up to five', 5, [{ offset: 1, length: 7 }], [1, -1, 0, 0, 0, 0, 3]],
    [
      'more than five',
      6,
      [
        { offset: 1, length: 1 },
        { offset: 6, length: 1 },
      ],
      [1, 2],
    ],
  ])('has one span over %s empty buckets', (_, empty, positiveSpan, positiveDelta) => {
    const exponential = { scale: 3, zeroCount: 0, offset: 0, counts: [1, ...Array<number>(empty).fill(0), 3] }
    const [metric] = metricsOf([{ ...timer('a', { count: 4, total: 1 }), exponential }])
    expect(metric?.histogram).toMatchObject({ positiveSpan, positiveDelta })
  })

  it('has one span over several gaps', () => {
    const exponential = { scale: 3, zeroCount: 0, offset: 0, counts: [1, 0, 0, 1, 0, 0, 1, 0, 0, 1] }
    const [metric] = metricsOf([{ ...timer('a', { count: 4, total: 1 }), exponential }])
    expect(metric?.histogram?.positiveSpan).toEqual([{ offset: 1, length: 10 }])
  })
})

describe('the maxima of a family', () => {
  it.each([
    ['protobuf', new ProtobufPage()],
    ['text', prometheusText.createPage()],
  ])('are written in %s 64 at a time', async (_, created) => {
    const page = await created
    const id: MeterId = meterId('a', { baseUnit: 'seconds' })
    const slice = Array.from({ length: 192 }, (_, index) => timer('a', { tags: { x: `${index}` } }))
    const family = { exported: exportedName('timer', id), help: 'a', onConflict: () => {} }
    const writer = page.openFamily(family, slice)
    expect(finish(writer.write(slice))).toBe(192)
    expect([...writer.close()]).toHaveLength(3)
  })
})
