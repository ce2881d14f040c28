import { readFile } from 'node:fs/promises'
import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import type { Exemplar } from '../../src/metrics/snapshot.ts'
import type { NameConflict } from '../../src/prometheus/exposition/name-conflict.ts'
import {
  openMetricsText,
  openMetricsTextWithCreated,
  prometheusText,
} from '../../src/prometheus/exposition/text-format.ts'
import { goldenSeries } from './golden-series.ts'
import { render } from './render.ts'
import { counter, gauge, longTaskTimer, sourceOf, timer } from './snapshots.ts'

const formats = { prometheus: prometheusText, openmetrics: openMetricsTextWithCreated }

describe.each(Object.entries(formats))('a page of %s', (formatName, format) => {
  it.each(Object.keys(goldenSeries))('of the %s series matches the golden file', async (name) => {
    const golden = await readFile(new URL(`golden/${name}.${formatName}.txt`, import.meta.url), 'utf8')
    expect(await render(sourceOf(goldenSeries[name] ?? []), format)).toBe(golden)
  })

  it('is the same the second time, from cached labels', async () => {
    const source = sourceOf(goldenSeries['nasty'] ?? [])
    const first = await render(source, format)
    expect(await render(source, format)).toBe(first)
  })

  it('has no series for an empty source', async () => {
    expect(await render(sourceOf([]), format)).toBe(format.end)
  })

  it.each([
    ['its exported name', 'orders_placed', ['orders_placed_total']],
    ['a sample of it', 'orders_placed_total', ['orders_placed_total']],
    ['its name with the unit', 'jvm_memory_used_bytes', ['jvm_memory_used_bytes']],
    ['a code name, which is none', 'orders.placed', []],
    ['a name that nothing has', 'other', []],
  ])('has only the family selected by %s', async (_, name, expected) => {
    const series = [counter('orders.placed', 1), gauge('jvm.memory.used', 2, { baseUnit: 'bytes' })]
    const page = await render(sourceOf(series), format, { names: new Set([name]) })
    expect(samplesOf(page).filter((sample) => !sample.endsWith('_created'))).toEqual(expected)
  })

  it('has a timer and its maximum when selected', async () => {
    const series = [timer('a', { count: 1, total: 1, max: 1 }), timer('b')]
    const page = await render(sourceOf(series), format, { names: new Set(['a_seconds']) })
    expect(samplesOf(page)).toEqual(expect.arrayContaining(['a_seconds_count', 'a_seconds_sum', 'a_seconds_max']))
    expect(samplesOf(page).some((sample) => sample.startsWith('b'))).toBe(false)
  })
})

describe('meters with the same exported name or series', () => {
  it.each<[string, readonly MeterSnapshot[], readonly string[], readonly [string, string, string][]]>([
    [
      'two meter names',
      [gauge('a.b', 1), gauge('a_b', 2), gauge('a_b', 3, { tags: { x: 'y' } })],
      ['a_b'],
      [['family', 'a_b', 'a_b']],
    ],
    ['a counter and a gauge of one name', [counter('a', 1), gauge('a', 2)], ['a_total'], [['family', 'a', 'a']]],
    [
      'a gauge and a sample of a timer',
      [timer('a'), gauge('a.seconds.count', 1)],
      ['a_seconds_sum', 'a_seconds_count', 'a_seconds_max'],
      [['family', 'a_seconds_count', 'a.seconds.count']],
    ],
    [
      'a gauge and the creation time of a counter',
      [counter('a', 1), gauge('a', 2, { baseUnit: 'created' }), gauge('a.created', 3), gauge('b', 1)],
      ['a_total', 'b'],
      [
        ['family', 'a', 'a'],
        ['family', 'a', 'a.created'],
      ],
    ],
    [
      'an empty value and no tag at all',
      [gauge('a', 1), gauge('a', 2, { tags: { x: '' } }), gauge('a', 3, { tags: { x: '', y: '' } })],
      ['a'],
      [
        ['series', 'a', 'a'],
        ['series', 'a', 'a'],
      ],
    ],
    [
      'keys that meet',
      [
        gauge('a', 1, { tags: { 'x.y': '1' } }),
        gauge('a', 2, { tags: { x_y: '1' } }),
        gauge('a', 3, { tags: { x_y: '2' } }),
      ],
      ['a{x_y="1"}', 'a{x_y="2"}'],
      [['series', 'a{x_y="1"}', 'a']],
    ],
    [
      'a lone surrogate and its replacement',
      [gauge('a', 1, { tags: { x: '\ufffd' } }), gauge('a', 2, { tags: { x: '\udfff' } })],
      ['a{x="\ufffd"}'],
      [['series', 'a{x="\ufffd"}', 'a']],
    ],
  ])('%s are reported, and the first is written', async (_, series, expected, conflicts) => {
    const reported: NameConflict[] = []
    const page = await render(sourceOf(series), openMetricsText, { onConflict: (conflict) => reported.push(conflict) })
    expect(seriesOf(page)).toEqual(expected)
    expect(reported.map(({ scope, exported, dropped }) => [scope, exported, dropped.name])).toEqual(conflicts)
  })
})

describe.each(Object.entries(formats))('a source with non-numbers, contrary to its types, in %s', (_, format) => {
  const none = null as unknown as number
  const texts = { traceId: none, spanId: 7, value: none, timestamp: 1 } as unknown as Exemplar

  it.each<[string, MeterSnapshot, readonly string[]]>([
    ['a counter', counter('a', none), []],
    ['a gauge', gauge('a', none), ['a NaN']],
    ['a gauge with a text', gauge('a', '1' as unknown as number), ['a NaN']],
    ['the count of a timer', timer('a', { count: none }), []],
    ['the sum of a timer', timer('a', { total: none }), []],
    ['a long task timer', longTaskTimer('a', { activeTasks: none, duration: none, max: none }), []],
  ])('has no sample, or NaN: %s', async (_, snapshot, expected) => {
    const page = await render(sourceOf([snapshot]), format)
    expect(page.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual(expected)
  })

  it('has no exemplar whose ids are not strings', async () => {
    const page = await render(sourceOf([counter('a', 1, { exemplar: texts })]), format)
    expect(page).toMatch(/^a_total 1$/m)
  })
})

describe('the text format', () => {
  it('has a gauge beside a counter of the same name, which ends in _total', async () => {
    const reported: NameConflict[] = []
    const series = [counter('a', 1), gauge('a', 2), gauge('b', 1, { verbatim: true })]
    const page = await render(sourceOf(series), prometheusText, { onConflict: (conflict) => reported.push(conflict) })
    expect(seriesOf(page)).toEqual(['a_total', 'a', 'b'])
    expect(reported).toEqual([])
  })
})

describe('a verbatim name', () => {
  const verbatim = { verbatim: true }

  it.each([
    ['a counter', counter('jobs_total', 1, verbatim), 'jobs_total', ['jobs_total counter', 'jobs counter']],
    ['a counter without _total', counter('jobs', 1, verbatim), 'jobs', ['jobs untyped', 'jobs unknown']],
    [
      'a counter of which only _total is left',
      counter('_total', 1, verbatim),
      '_total',
      ['_total untyped', '_total unknown'],
    ],
    ['a gauge with _total', gauge('jobs_total', 1, verbatim), 'jobs_total', ['jobs_total gauge', 'jobs_total gauge']],
    ['a gauge with _info', gauge('node_info', 1, verbatim), 'node_info', ['node_info gauge', 'node_info gauge']],
    [
      'a name with colons',
      gauge('job:rate:5m', 1, verbatim),
      'job:rate:5m',
      ['job:rate:5m gauge', 'job:rate:5m gauge'],
    ],
  ])('of %s is exported unchanged', async (_, snapshot, sample, types) => {
    const pages = [prometheusText, openMetricsText].map((format) => render(sourceOf([snapshot]), format))
    const [text = '', openMetrics = ''] = await Promise.all(pages)
    expect([seriesOf(text), seriesOf(openMetrics)]).toEqual([[sample], [sample]])
    expect([text, openMetrics].map((page) => /^# TYPE (.+)$/m.exec(page)?.[1])).toEqual(types)
  })
})

describe('a family', () => {
  it('continues over kinds that are exported as one type', async () => {
    const page = await render(
      sourceOf([
        timer('a', { count: 1, total: 1, max: 1, tags: { kind: 'timer' } }),
        { ...timer('a', { count: 2, total: 2, max: 2, tags: { kind: 'summary' } }), kind: 'summary' },
      ]),
      prometheusText,
    )
    expect(page.match(/# TYPE/g)).toHaveLength(2)
    expect(page).toContain('a_seconds_count{kind="timer"} 1\n')
    expect(page).toContain('a_seconds_count{kind="summary"} 2\n')
  })

  it('compares thousands of series once one of them is ambiguous', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => gauge('a', index, { tags: { x_y: `${index}` } }))
    const late = [gauge('a', -1, { tags: { 'x.y': '7' } }), gauge('a', -2, { tags: { 'x.y': 'new' } })]
    const reported: NameConflict[] = []
    const page = await render(sourceOf([...many, ...late]), prometheusText, {
      onConflict: (conflict) => reported.push(conflict),
    })
    expect(reported).toEqual([{ scope: 'series', exported: 'a{x_y="7"}', kept: many[7]?.id, dropped: late[0]?.id }])
    expect(seriesOf(page)).toHaveLength(5_001)
    expect(page).toContain('a{x_y="new"} -2\n')
  })

  it('of long tasks is a summary without buckets, as Micrometer writes it', async () => {
    const page = await render(
      sourceOf([longTaskTimer('a', { activeTasks: 1, duration: 2, max: 2 })]),
      openMetricsTextWithCreated,
    )
    expect(page).toContain('# TYPE a_seconds summary\n')
    expect(seriesOf(page)).toEqual(['a_seconds_count', 'a_seconds_sum', 'a_seconds_max'])
  })
})

function seriesOf(page: string): readonly string[] {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => line.slice(0, line.lastIndexOf(' ')))
}

function samplesOf(page: string): readonly string[] {
  return seriesOf(page).map((series) => series.replace(/\{.*/, ''))
}
