import { prometheusRegistry } from 'upkeep/prometheus'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

/** A source of these metrics, in the shape in which prom-client returns them. */
async function read(...metrics: readonly unknown[]) {
  const report = vi.fn()
  const source = prometheusRegistry({ getMetricsAsJSON: async () => metrics }, { report })
  await source.refresh?.()
  expect(report.mock.calls).toEqual([])
  return source
}

describe('a metric of a registry', () => {
  it.each([
    [
      { type: 'counter', values: [{ value: 3 }] },
      { kind: 'counter', value: 3, created: Number.NaN },
    ],
    [
      { type: 'gauge', values: [{ value: -1 }] },
      { kind: 'gauge', value: -1 },
    ],
    [
      { type: 'summary', values: [{ labels: { quantile: 0.5 }, value: 2 }] },
      { kind: 'summary', percentiles: [{ quantile: 0.5, value: 2 }], buckets: undefined, max: Number.NaN },
    ],
  ])('%j is read as its kind', async (metric, expected) => {
    const source = await read({ name: 'a', help: 'A', ...metric })
    expect([...source.snapshot()]).toMatchObject([{ ...expected, id: { name: 'a', description: 'A', tags: [] } }])
  })

  it('has its tags sorted by their keys', async () => {
    const labels = { b: 'two', c: 3, a: null }
    const source = await read({ name: 'a', type: 'gauge', values: [{ labels, value: 1 }] })
    expect([...source.snapshot()].map(({ id }) => id.tags)).toEqual([
      [
        { key: 'a', value: 'null' },
        { key: 'b', value: 'two' },
        { key: 'c', value: '3' },
      ],
    ])
  })

  it('has its buckets in ascending order, and no exemplars if there are none', async () => {
    const values = ['+Inf', '2', '0.5', '1'].map((le, index) => ({
      labels: { le },
      metricName: 'a_bucket',
      value: [9, 6, 1, 3][index],
    }))
    const totals = [
      { metricName: 'a_count', value: 9 },
      { metricName: 'a_sum', value: 20 },
    ]
    const source = await read({ name: 'a', type: 'histogram', values: [...values, ...totals] })
    expect([...source.snapshot()]).toEqual([
      expect.objectContaining({
        count: 9,
        total: 20,
        buckets: { bounds: [0.5, 1, 2], counts: [1, 2, 3, 3] },
        exemplars: undefined,
      }),
    ])
  })

  it('ignores a value that is neither a bucket nor a total', async () => {
    const values = [{ value: 5 }, { metricName: 'a_total', value: 6 }, { metricName: 'a_count', value: 1 }]
    const source = await read({ name: 'a', type: 'summary', values })
    expect([...source.snapshot()]).toMatchObject([{ count: 1, total: 0, percentiles: [] }])
  })

  it.each([
    ['a value', { labelSet: { traceId: 'abc', spanId: 'def' } }],
    ['the id of a trace', { labelSet: { spanId: 'def' }, value: 1 }],
    ['the id of a span', { labelSet: { traceId: 'abc' }, value: 1 }],
    ['labels', { value: 1 }],
  ])('has no exemplar without %s', async (_, exemplar) => {
    const source = await read({ name: 'a', type: 'counter', values: [{ value: 1, exemplar }] })
    expect([...source.snapshot()]).toEqual([expect.objectContaining({ value: 1, exemplar: undefined })])
  })

  it('has an exemplar whose labels are trace_id and span_id', async () => {
    const exemplar = { labelSet: { trace_id: 'abc', span_id: 'def' }, value: 1, timestamp: 2 }
    const source = await read({ name: 'a', type: 'counter', values: [{ value: 1, exemplar }] })
    expect([...source.snapshot()]).toMatchObject([
      { exemplar: { traceId: 'abc', spanId: 'def', value: 1, timestamp: 2 } },
    ])
  })
})

describe('a registry', () => {
  it('has only metrics that have series, sorted by their names', async () => {
    const values = [{ value: 1 }]
    const source = await read(
      { name: 'c', type: 'gauge', values },
      { name: 'without.values', type: 'gauge', values: [] },
      { name: 'a', type: 'gauge', values },
      { name: 'of.another.type', type: 'untyped', values },
      { name: 'b', type: 'gauge', values },
    )
    expect(source.names()).toEqual(['a', 'b', 'c'])
    expect([...source.slices()].map(([first]) => first?.id.name)).toEqual(['a', 'b', 'c'])
    expect([...source.snapshot('without.values')]).toEqual([])
  })

  it('may contain what is no metric', async () => {
    const metric = { name: 'a', type: 'gauge', values: [{ value: 1 }] }
    const source = await read(null, undefined, 'text', 7, {}, { ...metric, name: 7 }, metric)
    expect(source.names()).toEqual(['a'])
  })

  it('is not awaited again while a reading is late', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const source = prometheusRegistry(
      { getMetricsAsJSON: () => new Promise(() => {}) },
      { timeout: '10s', report: () => {} },
    )
    const first = vi.fn()
    const second = vi.fn()
    void source.refresh?.().then(first)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(first).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(first).toHaveBeenCalled()
    void source.refresh?.().then(second)
    await vi.advanceTimersByTimeAsync(0)
    expect(second).toHaveBeenCalled()
  })

  it('is awaited again after a late reading has ended', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const readings: ((metrics: readonly unknown[]) => void)[] = []
    const registry = { getMetricsAsJSON: () => new Promise<readonly unknown[]>((resolve) => readings.push(resolve)) }
    const source = prometheusRegistry(registry, { timeout: '1s', report: () => {} })
    void source.refresh?.()
    await vi.advanceTimersByTimeAsync(1_000)
    readings[0]?.([{ name: 'a', type: 'gauge', values: [{ value: 1 }] }])
    await vi.advanceTimersByTimeAsync(0)
    expect(source.names()).toEqual(['a'])
    const refreshed = vi.fn()
    void source.refresh?.().then(refreshed)
    await vi.advanceTimersByTimeAsync(999)
    expect(refreshed).not.toHaveBeenCalled()
    expect(readings).toHaveLength(2)
  })

  it.each([
    [{ onError: () => {} }, 'prometheusRegistry: unknown option "onError"; did you mean "report"?'],
    [{ prefix: 'a' }, 'prometheusRegistry: unknown option "prefix"; expected timeout, report'],
    [{ timeout: 5 }, 'timeout: expected a duration such as "5s", received '],
  ])('is refused with the options %j', (options, message) => {
    expect(() => prometheusRegistry({ getMetricsAsJSON: async () => [] }, options as object)).toThrow(message)
  })
})
