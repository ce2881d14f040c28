import promBundle from 'express-prom-bundle'
import promClient from 'prom-client'
import { bucketPresets, createMeterRegistry, histogram } from 'upkeep/metrics'
import { expect, it } from 'vitest'

/** The finite bounds of a histogram of prom-client. */
async function boundsOf(name: string): Promise<readonly number[]> {
  const metrics = await promClient.register.getMetricsAsJSON()
  const values = metrics.find((metric) => metric.name === name)?.values ?? []
  return values.flatMap(({ labels }) => {
    const le = 'le' in labels ? Number(labels['le']) : Number.NaN
    return Number.isFinite(le) ? [le] : []
  })
}

it('bucketPresets has the buckets that prom-client and express-prom-bundle use', async () => {
  new promClient.Histogram({ name: 'h', help: 'h' }).observe(1)
  expect(await boundsOf('h')).toEqual(bucketPresets.promClient)
  promBundle({})
  const requests = promClient.register.getSingleMetric('http_request_duration_seconds')
  if (requests instanceof promClient.Histogram) requests.observe({}, 1)
  expect(await boundsOf('http_request_duration_seconds')).toEqual(bucketPresets.expressPromBundle)
})

it('bucketPresets can be used by the filter histogram', () => {
  const meters = createMeterRegistry({ filters: [histogram('orders.', { slo: bucketPresets.openTelemetry })] })
  meters.timer('orders.placed').record(0.06)
  const [timer] = meters.snapshot('orders.placed')
  expect(timer).toMatchObject({ buckets: { bounds: bucketPresets.openTelemetry } })
})
