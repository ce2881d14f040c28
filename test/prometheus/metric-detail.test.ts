import { describe, expect, it } from 'vitest'
import { metricDetail } from '../../src/prometheus/metric-detail.ts'
import { finish } from '../support/run-to-completion.ts'
import { counter, functionTimer, gauge, longTaskTimer, summary, timer } from './snapshots.ts'

const requests = [
  timer('http.server.requests', {
    description: 'Requests served',
    count: 3,
    total: 1.5,
    max: 0.75,
    tags: { method: 'GET', uri: '/a', status: '200' },
  }),
  timer('http.server.requests', { count: 2, total: 0.5, max: 0.25, tags: { method: 'GET', uri: '/b', status: '500' } }),
  timer('http.server.requests', { count: 1, total: 2, max: 2, tags: { method: 'POST', uri: '/a', status: '200' } }),
  counter('orders', 5),
]

describe('metricDetail', () => {
  it('sums the series of a name, takes the greatest maximum, and lists the tags, sorted', () => {
    expect(finish(metricDetail('http.server.requests', requests))).toEqual({
      name: 'http.server.requests',
      description: 'Requests served',
      baseUnit: 'seconds',
      measurements: [
        { statistic: 'COUNT', value: 6 },
        { statistic: 'TOTAL_TIME', value: 4 },
        { statistic: 'MAX', value: 2 },
      ],
      availableTags: [
        { tag: 'method', values: ['GET', 'POST'] },
        { tag: 'status', values: ['200', '500'] },
        { tag: 'uri', values: ['/a', '/b'] },
      ],
    })
  })

  it('filters by all tags together and lists the remaining ones', () => {
    const detail = finish(
      metricDetail('http.server.requests', requests, [
        { key: 'method', value: 'GET' },
        { key: 'uri', value: '/a' },
      ]),
    )
    expect(detail?.measurements).toEqual([
      { statistic: 'COUNT', value: 3 },
      { statistic: 'TOTAL_TIME', value: 1.5 },
      { statistic: 'MAX', value: 0.75 },
    ])
    expect(detail?.availableTags).toEqual([{ tag: 'status', values: ['200'] }])
  })

  it.each([
    ['no meter has the name', 'http.server', []],
    ['no series has the value', 'http.server.requests', [{ key: 'method', value: 'PUT' }]],
    ['no series has the key', 'http.server.requests', [{ key: 'host', value: 'a' }]],
    [
      'one key is asked for with two values',
      'http.server.requests',
      [
        { key: 'method', value: 'GET' },
        { key: 'method', value: 'POST' },
      ],
    ],
  ])('returns undefined when %s', (_, name, tags) => {
    expect(finish(metricDetail(name, requests, tags))).toBeUndefined()
  })

  it('finds an empty value only where it is written', () => {
    const series = [counter('x', 1, { tags: { a: '' } }), counter('x', 2)]
    expect(finish(metricDetail('x', series, [{ key: 'a', value: '' }]))?.measurements).toEqual([
      { statistic: 'COUNT', value: 1 },
    ])
  })

  it.each([
    [counter('x', 2), [{ statistic: 'COUNT', value: 2 }]],
    [gauge('x', 2), [{ statistic: 'VALUE', value: 2 }]],
    [
      summary('x', { count: 1, total: 2, max: 3 }),
      [
        { statistic: 'COUNT', value: 1 },
        { statistic: 'TOTAL', value: 2 },
        { statistic: 'MAX', value: 3 },
      ],
    ],
    [
      functionTimer('x', { count: 1, total: 2 }),
      [
        { statistic: 'COUNT', value: 1 },
        { statistic: 'TOTAL_TIME', value: 2 },
      ],
    ],
    [
      longTaskTimer('x', { activeTasks: 1, duration: 2, max: 3 }),
      [
        { statistic: 'ACTIVE_TASKS', value: 1 },
        { statistic: 'DURATION', value: 2 },
        { statistic: 'MAX', value: 3 },
      ],
    ],
  ])('has the statistics of a $kind', (snapshot, measurements) => {
    expect(finish(metricDetail('x', [snapshot]))?.measurements).toEqual(measurements)
  })

  it('sums gauges and ignores one without a value', () => {
    const value = (...values: readonly number[]) =>
      finish(
        metricDetail(
          'x',
          values.map((each, index) => gauge('x', each, { tags: { index: `${index}` } })),
        ),
      )?.measurements[0]?.value
    expect(value(1, 2)).toBe(3)
    expect(value(Number.NaN, 2)).toBe(2)
    expect(value(1, Number.NaN)).toBe(1)
    expect(value(Number.NaN, Number.NaN)).toBeNaN()
  })

  it('omits a unit that the first series does not have', () => {
    expect(finish(metricDetail('orders', requests))).not.toHaveProperty('baseUnit')
  })

  it.each([
    [[counter('a', 1, { tags: { x: '1' } }), counter('a', 1, { tags: { x: '2' }, description: 'Things' })], 'Things'],
    [[counter('a', 1, { description: ' ' })], 'a'],
    [[counter('a', 1)], 'a'],
  ])('has the first description of the series, or the name', (series, expected) => {
    expect(finish(metricDetail('a', series))?.description).toBe(expected)
  })

  it('allows tags of any name', () => {
    const series = [counter('x', 1, { tags: [{ key: '__proto__', value: 'a' }] })]
    expect(finish(metricDetail('x', series))?.availableTags).toEqual([{ tag: '__proto__', values: ['a'] }])
  })
})
