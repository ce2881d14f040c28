import { describe, expect, it } from 'vitest'
import type { NameConflict } from '../../src/prometheus/exposition/name-conflict.ts'
import { openMetricsTextWithCreated, prometheusText } from '../../src/prometheus/exposition/text-format.ts'
import { render } from './render.ts'
import { counter, functionTimer, gauge, longTaskTimer, sourceOf, timer } from './snapshots.ts'

const formats = { prometheus: prometheusText, openmetrics: openMetricsTextWithCreated }
const exemplar = {
  value: 1,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  timestamp: 1_700_000_060.25,
}

function linesOf(page: string): readonly string[] {
  return page.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

describe.each(Object.entries(formats))('a family in %s', (_, format) => {
  it('of infos is one of gauges if one of its first series is not 1', async () => {
    const series = [gauge('a.info', 1, { tags: { x: '1' } }), gauge('a.info', 2, { tags: { x: '2' } })]
    const page = await render(sourceOf(series), format)
    expect(page).toContain('# TYPE a_info gauge\n')
    expect(linesOf(page)).toEqual(['a_info{x="1"} 1', 'a_info{x="2"} 2'])
  })

  it('of infos omits a later series that is not 1', async () => {
    const infos = Array.from({ length: 64 }, (_, index) => gauge('a.info', 1, { tags: { x: `${index}` } }))
    const page = await render(sourceOf([...infos, gauge('a.info', 2, { tags: { x: 'late' } })]), format)
    expect(linesOf(page)).toHaveLength(64)
    expect(page).not.toContain('late')
  })

  it('of a counter without _total has neither an exemplar nor a creation time', async () => {
    const page = await render(sourceOf([counter('jobs', 1, { verbatim: true, exemplar })]), format)
    expect(linesOf(page)).toEqual(['jobs 1'])
  })

  it('of running tasks omits those whose labels another one has', async () => {
    const tasks = { activeTasks: 1, duration: 2, max: 2 }
    const series = [
      longTaskTimer('a', { ...tasks, tags: { 'x.y': '1' } }),
      longTaskTimer('a', { ...tasks, tags: { x_y: '1' } }),
    ]
    const conflicts: NameConflict[] = []
    const page = await render(sourceOf(series), format, { onConflict: (conflict) => conflicts.push(conflict) })
    expect(linesOf(page)).toEqual([
      'a_seconds_count{x_y="1"} 1',
      'a_seconds_sum{x_y="1"} 2',
      'a_seconds_max{x_y="1"} 2',
    ])
    expect(conflicts).toEqual([
      { scope: 'series', exported: 'a_seconds{x_y="1"}', kept: series[0]?.id, dropped: series[1]?.id },
    ])
  })

  it('omits a later series whose labels an earlier one got by a change', async () => {
    const changed = Array.from({ length: 64 }, (_, index) => gauge('a', index, { tags: { 'x.y': `${index}` } }))
    const late = [gauge('a', -1, { tags: { x_y: '7' } }), gauge('a', -2, { tags: { x_y: 'new' } })]
    const page = await render(sourceOf([...changed, ...late]), format)
    expect(linesOf(page)).toHaveLength(65)
    expect(page).toContain('a{x_y="7"} 7\n')
    expect(page).toContain('a{x_y="new"} -2\n')
  })

  it.each([
    ['count', { count: Number.POSITIVE_INFINITY, total: 1 }],
    ['negative count', { count: -1, total: 1 }],
    ['negative sum', { count: 1, total: -1 }],
  ])('omits a function timer with an infinite or negative value: %s', async (_, values) => {
    expect(linesOf(await render(sourceOf([functionTimer('a', values)]), format))).toEqual([])
  })
})

it('a gauge with the name of a creation time is beside a timer in the text format, which has none', async () => {
  const series = [timer('a'), gauge('a_seconds_created', 1, { verbatim: true })]
  const dropped: string[] = []
  const pages = Object.values(formats).map((format) =>
    render(sourceOf(series), format, { onConflict: (conflict) => dropped.push(conflict.exported) }),
  )
  const [text = '', openMetrics = ''] = await Promise.all(pages)
  expect(text).toContain('a_seconds_created 1\n')
  expect(openMetrics).not.toContain('a_seconds_created 1\n')
  expect(dropped).toEqual(['a_seconds_created'])
})
