import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackPackage } from '../support/package/packed.ts'
import { builtProgram } from './programs.ts'
import { type Collector, startCollector } from './start-collector.ts'
import { type OrdersProcess, placeOrders, startOrders } from './start-orders.ts'

const packed = unpackPackage()
afterAll(packed.remove)

describe.each([
  ['upkeep', 'http/protobuf', 'cumulative'],
  ['upkeep', 'http/protobuf', 'delta'],
  ['upkeep', 'http/json', 'cumulative'],
  ['opentelemetry', 'http/protobuf', 'cumulative'],
  ['opentelemetry', 'http/protobuf', 'delta'],
])('a Collector receiving from the exporter %s by %s, with %s metrics', (exporter, protocol, temporality) => {
  let collector: Collector
  let orders: OrdersProcess
  beforeAll(async () => {
    collector = await startCollector(builtProgram('UPKEEP_COLLECTOR'))
    orders = await startOrders(packed, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: temporality,
      ORDERS_EXPORTER: exporter,
    })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await placeOrders(orders, 20)
    await (await fetch(`${orders.url}/orders/21?q=zqzq`, { headers: { traceparent } })).arrayBuffer()
    // What is left is delivered by the shutdown, and written by the Collector's.
    expect(await orders.stop()).toBe(0)
    await collector.stop()
  })
  afterAll(async () => {
    await orders?.kill()
    await collector?.dispose()
  })

  it('receives each span once, with the name of the service', async () => {
    const spans = await collector.spans()
    expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(21)
    expect(spans.filter(({ name }) => name === 'place order')).toHaveLength(21)
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(42)
    for (const { resource } of spans) {
      expect(resource).toMatchObject({ 'service.name': 'orders', 'service.version': '1.4.2' })
    }
  })

  it("receives a request as a SERVER span with its attributes, as a child of its caller's span", async () => {
    const spans = await collector.spans()
    const server = spans.find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')
    expect(server).toMatchObject({ name: 'GET /orders/:id', traceId: '0af7651916cd43dd8448eb211c80319c', kind: 2 })
    expect(server?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': '200',
      'http.route': '/orders/:id',
      'url.path': '/orders/21',
      'url.scheme': 'http',
    })
    expect(spans.filter(({ parentSpanId }) => parentSpanId === server?.spanId)).toMatchObject([
      { name: 'place order', kind: 1, traceId: '0af7651916cd43dd8448eb211c80319c' },
    ])
  })

  it('receives a failed request as an error', async () => {
    const failed = (await collector.spans()).filter(({ status }) => status.code === 2)
    expect(failed).toMatchObject([{ name: 'GET /orders/:id', attributes: { 'http.response.status_code': '500' } }])
  })

  it('receives the counts of the service', async () => {
    const points = await collector.points('orders.placed')
    const total = (result: string) => {
      const counts = points.filter(({ attributes }) => attributes['result'] === result).map(numberOf)
      return temporality === 'delta' ? counts.reduce((sum, count) => sum + count, 0) : counts.at(-1)
    }
    expect({ late: total('late'), success: total('success') }).toEqual({ late: 7, success: 14 })
    expect(new Set(points.map(({ kind }) => kind))).toEqual(new Set(['sum']))
  })

  it('receives a timer as a histogram in seconds, and a gauge as a gauge', async () => {
    const timers = await collector.points('orders.wait')
    const last = timers.at(-1)
    expect(last).toMatchObject({
      kind: 'histogram',
      unit: 's',
      explicitBounds: [0.01, 1],
      attributes: { region: 'eu "1"\\' },
    })
    const counts = timers.map(({ count }) => Number(count))
    expect(temporality === 'delta' ? counts.reduce((sum, count) => sum + count, 0) : counts.at(-1)).toBe(21)
    expect((await collector.points('queue.depth')).at(-1)).toMatchObject({ kind: 'gauge', asDouble: 17.5 })
  })
})

function numberOf({ asInt, asDouble }: { readonly asInt?: string; readonly asDouble?: number }): number {
  return Number(asInt ?? asDouble)
}
