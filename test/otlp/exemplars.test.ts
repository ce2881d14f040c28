import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { histogram } from 'upkeep/metrics'
import { manage, observe } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { expect, it, onTestFinished } from 'vitest'
import { listen, listenOn } from '../support/listen.ts'
import { exporters } from '../support/otlp/telemetry.ts'

/** A receiver of OTLP that accepts everything. */
async function startReceiver(): Promise<string> {
  const server = createServer((req, res) => req.resume().on('end', () => res.end()))
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}`
}

it.each(exporters)(
  'counters and buckets have exemplars after startTelemetry with the exporter %s',
  async (exporter) => {
    const management = createManagement({
      expose: ['prometheus'],
      metrics: { filters: [histogram('http.server.requests', { slo: [0.1, 1] })] },
    })
    const placed = management.meters.counter('orders.placed')
    const sizes = management.meters.summary('order.size', {}, { slo: [10, 100] })
    const managed = manage(management)
    const observed = observe(management, { route: () => '/orders' })
    const { port, close } = await listen((req, res) =>
      observed(req, res, () =>
        managed(req, res, () => {
          placed.increment(2)
          sizes.record(20)
          res.end('ok')
        }),
      ),
    )
    // Loading OpenTelemetry may take longer than a connection is kept alive.
    const headers = { accept: 'application/openmetrics-text', connection: 'close' }
    const order = async () => (await fetch(`http://127.0.0.1:${port}/orders`, { headers })).text()
    const withExemplars = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/management/prometheus`, { headers })
      const lines = (await response.text()).matchAll(/^(\w+).* # \{trace_id="\w{32}",span_id="\w{16}"\}/gm)
      return [...new Set([...lines].map(([, name]) => name))]
    }

    await order()
    expect(await withExemplars()).toEqual([])
    const telemetry = await startTelemetry({ management, exporter, url: await startReceiver(), report: () => {} })
    onTestFinished(async () => {
      await telemetry.shutdown()
      await close()
      management.close()
    })
    await order()
    expect(await withExemplars()).toEqual([
      'http_server_requests_seconds_bucket',
      'order_size_bucket',
      'orders_placed_total',
    ])
  },
)

it.each(exporters)('the meters of an export by %s that a request triggers have no exemplars', async (exporter) => {
  const management = createManagement()
  const url = await startReceiver()
  const telemetry = await startTelemetry({ management, exporter, url, tracing: { delay: '1h' }, report: () => {} })
  const observed = observe(management)
  const { port, close } = await listen((req, res) =>
    observed(req, res, () => {
      management.meters.counter('orders.placed').increment()
      void telemetry.flush().then(() => res.end('ok'))
    }),
  )
  onTestFinished(async () => {
    await telemetry.shutdown()
    await close()
    management.close()
  })
  const order = async () => (await fetch(`http://127.0.0.1:${port}/orders`)).text()
  await order()
  await order()
  const snapshots = [...management.meters.snapshot()].flatMap((one) => (one.kind === 'counter' ? [one] : []))
  const ofTraces = snapshots.find(({ id: { name, tags } }) => name === 'otlp.exported' && tags[0]?.value === 'traces')
  expect(ofTraces).toMatchObject({ value: 1, exemplar: undefined })
  expect(snapshots.filter(({ exemplar }) => exemplar !== undefined).map(({ id }) => id.name)).toEqual(['orders.placed'])
})
