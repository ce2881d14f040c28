import promBundle from 'express-prom-bundle'
import promClient from 'prom-client'
import { bucketPresets } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { boundsOf } from '../../metrics/bounds-of.ts'

it('bucketPresets has the buckets that express-prom-bundle uses', async () => {
  promBundle({})
  const requests = promClient.register.getSingleMetric('http_request_duration_seconds')
  if (requests instanceof promClient.Histogram) requests.observe({}, 1)
  expect(await boundsOf('http_request_duration_seconds')).toEqual(bucketPresets.expressPromBundle)
})
