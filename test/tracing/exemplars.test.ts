import { createServer } from 'node:http'
import { createManagement, type ManagementOptions, traceHeaders } from 'upkeep'
import { histogram } from 'upkeep/metrics'
import { observe } from 'upkeep/node'
import { expect, it } from 'vitest'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

async function scrapeAfter(flags: string, options: ManagementOptions = {}) {
  const filters = [histogram('http.server.requests', { slo: [10] })]
  const management = createManagement({
    tracing: true,
    expose: ['prometheus'],
    metrics: { runtime: false, filters },
    ...options,
  })
  const orders = management.meters.counter('orders')
  const observed = observe(management)
  let sent: unknown
  const server = createServer((req, res) => {
    observed(req, res, async () => {
      await null
      orders.increment()
      sent = traceHeaders().traceparent
      res.end()
    })
  })
  const send = createRawClient(await listenOn(server))
  await send({ target: '/', headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` } })
  await expect.poll(() => [...management.meters.snapshot('http.server.requests')].length).toBe(1)
  const response = await management({
    method: 'GET',
    target: '/management/prometheus',
    headers: { accept: 'application/openmetrics-text' },
    body: () => ({ kind: 'parsed', value: undefined }),
    base: '',
  })
  const chunks: Uint8Array[] = []
  if (response === undefined) expect.fail('expected a response')
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk)
  server.close()
  management.close()
  const page = Buffer.concat(chunks).toString()
  const lines = page.split('\n').filter((line) => line.includes('# {'))
  return { sent: String(sent), lines }
}

it('a sampled trace is the exemplar of counters incremented in it, and of the timer of its request', async () => {
  const { sent, lines } = await scrapeAfter('01')
  const ids = `trace_id="${traceId}",span_id="${sent.slice(36, 52)}"`
  expect(lines).toEqual([
    expect.stringMatching(/^http_server_requests_seconds_bucket/),
    expect.stringMatching(/^orders_total 1/),
  ])
  for (const line of lines) expect(line).toContain(ids)
})

it.each([
  ['a trace that is not sampled', '00', {}],
  ['a trace of a management without tracing', '01', { tracing: false }],
])('%s is no exemplar', async (_, flags, options) => {
  const { lines } = await scrapeAfter(flags, options)
  expect(lines).toEqual([])
})
