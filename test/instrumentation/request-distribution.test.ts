import { createManagement, type ManagementOptions } from 'upkeep'
import { histogram } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requestWith } from '../support/management-request.ts'
import { bytesOf } from '../support/read-content.ts'

const protobuf = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited'

/** Observes one request, and returns the scrape and the series. */
async function observed(options: ManagementOptions['metrics'] = {}) {
  const management = createManagement({ expose: ['prometheus'], metrics: { runtime: false, ...options } })
  onTestFinished(() => management.close())
  const request = new Request('http://localhost/orders/5')
  const response = await management.observation.beginFetch(
    request,
    request,
    () => '/orders/:id',
    () => new Response('ok'),
  )
  await response.text()
  const scrape = async (accept: string) => {
    const page = await management({ ...requestWith({ accept }), target: '/management/prometheus' })
    if (page === undefined) throw new Error('the scrape was passed on')
    return await bytesOf(page)
  }
  const [timer] = management.measurements.snapshot('http.server.requests')
  return { scrape, timer }
}

describe('http.server.requests', () => {
  it('has eight buckets from 5 ms to 5 s without configuration', async () => {
    const { scrape } = await observed()
    const lines = (await scrape('text/plain')).toString().match(/^http_server_requests_seconds_bucket.*$/gm) ?? []
    const bounds = lines.map((line) => /le="([^"]+)"/.exec(line)?.[1])
    expect(bounds).toEqual(['0.005', '0.025', '0.05', '0.1', '0.25', '0.5', '1.0', '5.0', '+Inf'])
    expect(lines.at(-1)).toMatch(/ 1$/)
  })

  it('has a native histogram of schema 3, in protobuf alone', async () => {
    const { scrape, timer } = await observed()
    expect(timer).toMatchObject({ kind: 'timer', exponential: { scale: 3 } })
    // The field 5 of a histogram, zigzag of 3, and a span of one bucket.
    const schema = Buffer.from([0x28, 6, 0x62])
    expect((await scrape(protobuf)).includes(schema)).toBe(true)
    expect((await scrape('text/plain')).includes(schema)).toBe(false)
  })

  it('has other buckets by a filter', async () => {
    const { timer } = await observed({
      filters: [histogram('http.server.requests', { slo: [0.3], exponential: false })],
    })
    expect(timer).toMatchObject({ buckets: { bounds: [0.3] }, exponential: undefined })
  })

  it('has no buckets if a filter switches them off', async () => {
    const filters = [histogram('http.server.requests', { slo: [], exponential: false })]
    const { scrape, timer } = await observed({ filters })
    expect(timer).toMatchObject({ count: 1, buckets: undefined, exponential: undefined })
    expect((await scrape('text/plain')).toString()).toContain('# TYPE http_server_requests_seconds summary\n')
  })
})
