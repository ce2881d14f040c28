import promClient from 'prom-client'
import { bucketPresets, createMeterRegistry, histogram } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { boundsOf } from './bounds-of.ts'

it('bucketPresets has the buckets that prom-client uses', async () => {
  new promClient.Histogram({ name: 'h', help: 'h' }).observe(1)
  expect(await boundsOf('h')).toEqual(bucketPresets.promClient)
})

it('bucketPresets can be used by the filter histogram', () => {
  const meters = createMeterRegistry({ filters: [histogram('orders.', { slo: bucketPresets.openTelemetry })] })
  meters.timer('orders.placed').record(0.06)
  const [timer] = meters.snapshot('orders.placed')
  expect(timer).toMatchObject({ buckets: { bounds: bucketPresets.openTelemetry } })
})
