import type { Clock } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'
import { useTelemetry } from '../support/otlp/telemetry.ts'

describe('a clock that was set back', () => {
  const start = useTelemetry('upkeep')

  it('leads to no delta that starts after its end', async () => {
    let now = Date.now()
    const clock: Clock = { wallTime: () => now, monotonicTime: () => performance.now() }
    const { receiver, meters, telemetry } = await start({ clock, metrics: { temporality: 'delta' } })
    const counter = meters.counter('orders.placed')
    for (const jump of [0, -3_600_000, 7_200_000]) {
      now += jump
      counter.increment()
      await telemetry.flush()
    }
    const metrics = receiver.exports.flatMap((each) => each.metrics).filter(({ name }) => name === 'orders.placed')
    const points = metrics.flatMap((metric) => metric.sum?.dataPoints ?? [])
    expect(points.map(({ asDouble }) => asDouble)).toEqual([1, 1, 1])
    for (const { startTimeUnixNano, timeUnixNano } of points) {
      expect(BigInt(String(startTimeUnixNano))).toBeLessThanOrEqual(BigInt(String(timeUnixNano)))
    }
  })
})
