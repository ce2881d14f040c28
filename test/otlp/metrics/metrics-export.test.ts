import type { SnapshotSource } from 'upkeep/metrics'
import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it, onTestFinished } from 'vitest'
import { useTelemetry } from '../../support/otlp/telemetry.ts'

const start = useTelemetry('upkeep', { tracing: false, logs: false })

it('metrics are sent in requests of some thousand data points, each of them once', async () => {
  const { receiver, meters, telemetry, count } = await start()
  for (let name = 0; name < 10; name += 1) {
    const placed = meters.counters(`orders.${name}`, ['region'])
    for (let at = 0; at < 900; at += 1) placed.with(`region-${name}-${at}`).increment()
  }
  await telemetry.flush()
  const points = receiver.exports.map(({ metrics }) =>
    metrics.flatMap(({ sum, gauge }) => [...(sum?.dataPoints ?? []), ...(gauge?.dataPoints ?? [])]),
  )
  expect(points.length).toBeGreaterThan(2)
  for (const each of points) expect(each.length).toBeLessThan(4_600)
  const regions = new Set(points.flat().map(({ attributes }) => attributes?.[0]?.value['stringValue']))
  expect([...regions].filter((each) => String(each).startsWith('region-'))).toHaveLength(9_000)
  expect(count('exported', 'metrics')).toBe(points.flat().length)
})

it('a source that throws is reported, and the meters that were read before it are exported', async () => {
  const meters = createMeterRegistry()
  onTestFinished(() => meters.close())
  meters.counter('orders.placed').increment()
  const failure = new Error('gone')
  const measurements: SnapshotSource = {
    ...{ names: () => meters.names(), snapshot: (name) => meters.snapshot(name) },
    *slices() {
      yield* meters.slices()
      throw failure
    },
  }
  const reported: unknown[][] = []
  const { receiver, telemetry } = await start({
    management: { meters, measurements },
    report: (...args) => void reported.push(args),
  })
  await telemetry.flush()
  expect(reported).toEqual([['otlp: failed to read the meters', failure]])
  expect(receiver.exports.flatMap(({ metrics }) => metrics.map(({ name }) => name))).toContain('orders.placed')
})
