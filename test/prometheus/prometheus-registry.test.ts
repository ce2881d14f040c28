import promClient from 'prom-client'
import { prometheusRegistry } from 'upkeep/prometheus'
import { describe, expect, it } from 'vitest'
import { describeRegistry, fill } from './registry-suite.ts'

describeRegistry('prom-client', promClient)

describe('an exemplar of prom-client', () => {
  it('is written with its bucket', async () => {
    const registry = new promClient.Registry<promClient.OpenMetricsContentType>()
    registry.setContentType(promClient.Registry.OPENMETRICS_CONTENT_TYPE)
    const histogram = new promClient.Histogram({
      name: 'h',
      help: 'h',
      buckets: [1, 2],
      enableExemplars: true,
      registers: [registry],
    })
    histogram.observe({ value: 1.5, exemplarLabels: { traceId: 'abc', spanId: 'def' } })
    const source = prometheusRegistry(registry)
    await source.refresh?.()
    expect([...source.snapshot('h')]).toMatchObject([
      {
        buckets: { bounds: [1, 2], counts: [0, 1, 0] },
        exemplars: [undefined, { value: 1.5, traceId: 'abc', spanId: 'def' }, undefined],
      },
    ])
  })
})

it('returns one id per series as long as it exists', async () => {
  const registry = fill(promClient)
  const source = prometheusRegistry(registry)
  await source.refresh?.()
  const before = [...source.snapshot()].map(({ id }) => id)
  await source.refresh?.()
  expect([...source.snapshot()].map(({ id }) => id).every((id, at) => id === before[at])).toBe(true)
  expect([...source.slices(2)].flat().map(({ id }) => id)).toEqual(before)
})
