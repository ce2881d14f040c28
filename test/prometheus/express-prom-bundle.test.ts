import { createManagement } from 'upkeep'
import { createMeterRegistry, deny, histogram, type MeterSnapshot, replaceTagValues } from 'upkeep/metrics'
import { type ExpressPromBundleOptions, expressPromBundle } from 'upkeep/prometheus'
import { describe, expect, it } from 'vitest'
import { scrape } from '../support/scrape.ts'

const tags = { uri: '/orders/:id', method: 'GET', outcome: 'SUCCESS', exception: 'none', error: 'none' }

function record(options?: ExpressPromBundleOptions): readonly MeterSnapshot[] {
  const meters = createMeterRegistry({ filters: [expressPromBundle(options)] })
  for (const status of [200, 404]) meters.timer('http.server.requests', { ...tags, status }).record(0.02)
  meters.timer('http.client.requests', tags).record(0.02)
  return [...meters.snapshot('http.request.duration')]
}

const labelsOf = ({ id }: MeterSnapshot) => Object.fromEntries(id.tags.map(({ key, value }) => [key, value]))

describe('expressPromBundle', () => {
  it('has the label status_code by default', () => {
    expect(record().map(labelsOf)).toEqual([{ status_code: '200' }, { status_code: '404' }])
  })

  it('has the labels that its options select', () => {
    expect(record({ includeMethod: true, includePath: true }).map(labelsOf)).toEqual([
      { status_code: '200', method: 'GET', path: '/orders/:id' },
      { status_code: '404', method: 'GET', path: '/orders/:id' },
    ])
    expect(record({ includeStatusCode: false })).toMatchObject([{ id: { tags: [] }, count: 2 }])
  })

  it('has the buckets of its option, and no native histogram', () => {
    expect(record()[0]).toMatchObject({ buckets: { counts: [0, 1, 0, 0, 0, 0, 0] }, exponential: undefined })
    expect(record({ buckets: [0.01, 1] })[0]).toMatchObject({ buckets: { bounds: [0.01, 1], counts: [0, 1, 0] } })
  })

  it('leaves the distributions of other meters unchanged', () => {
    const meters = createMeterRegistry({ filters: [expressPromBundle()] })
    meters.timer('orders', {}, { slo: [1], exponential: true }).record(0.02)
    meters.timer('requests').record(0.02)
    const [orders] = meters.snapshot('orders')
    expect(orders).toMatchObject({ buckets: { bounds: [1], counts: [1, 0] }, exponential: { zeroCount: 0 } })
    expect([...meters.snapshot('requests')]).toMatchObject([{ buckets: undefined, exponential: undefined }])
  })

  it('rejects other options of express-prom-bundle, instead of ignoring them', () => {
    expect(() => expressPromBundle({ includeUp: false } as never)).toThrow(
      'expressPromBundle: unknown option "includeUp"; expected includeStatusCode, includeMethod, includePath, buckets',
    )
  })

  it('retains common tags, and leaves other meters unchanged', () => {
    const filters = [expressPromBundle()]
    const management = createManagement({ metrics: { runtime: false, commonTags: { region: 'eu' }, filters } })
    management.meters.timer('http.server.requests', { ...tags, status: 200 }).record(1)
    management.meters.timer('http.client.requests', { status: 200 }).record(1)
    expect([...management.meters.snapshot('http.request.duration')].map(labelsOf)).toEqual([
      { region: 'eu', status_code: '200' },
    ])
    expect([...management.meters.snapshot('http.client.requests')].map(labelsOf)).toEqual([
      { region: 'eu', status: '200' },
    ])
  })

  it('is exported as http_request_duration_seconds, before filters that change its labels and buckets', async () => {
    const management = createManagement({
      expose: ['prometheus'],
      metrics: {
        runtime: false,
        filters: [
          expressPromBundle(),
          replaceTagValues('status_code', (code) => `${code[0]}xx`),
          histogram('http.request.duration', { slo: [1] }),
        ],
      },
    })
    management.meters.timer('http.server.requests', { ...tags, status: 204 }).record(0.5)
    const { text } = await scrape(management)
    expect(text.match(/^http_request_duration_seconds_bucket.*$/gm)).toEqual([
      'http_request_duration_seconds_bucket{status_code="2xx",le="1.0"} 1',
      'http_request_duration_seconds_bucket{status_code="2xx",le="+Inf"} 1',
    ])
  })

  it('becomes a summary, and omits a route, by the filters after it', async () => {
    const filters = [
      expressPromBundle({ includePath: true }),
      histogram('http.request.duration', { slo: [], percentiles: [0.5] }),
      deny((meter) => meter.tags.some(({ value }) => value === '/internal')),
    ]
    const management = createManagement({ expose: ['prometheus'], metrics: { runtime: false, filters } })
    for (const uri of ['/orders/:id', '/internal']) {
      management.meters.timer('http.server.requests', { ...tags, uri, status: 200 }).record(1)
    }
    const { text } = await scrape(management)
    expect(text).toContain('# TYPE http_request_duration_seconds summary\n')
    expect(text.match(/^http_request_duration_seconds(?:_count)?\{.*\}/gm)).toEqual([
      'http_request_duration_seconds{path="/orders/:id",status_code="200",quantile="0.5"}',
      'http_request_duration_seconds_count{path="/orders/:id",status_code="200"}',
    ])
  })
})
