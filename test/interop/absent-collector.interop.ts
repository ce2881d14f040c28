import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { unpackPackage } from '../support/package/packed.ts'
import { builtProgram } from './programs.ts'
import { startCollector } from './start-collector.ts'
import { type OrdersProcess, placeOrders, startOrders } from './start-orders.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const absenceMilliseconds = 20_000

/** Places orders while there is no Collector, then starts one. */
async function placeWithoutCollector(exporter: string) {
  const port = await freePort()
  const orders = await startOrders(packed, {
    ORDERS_EXPORTER: exporter,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    // More than the spans of one batch, and less than the time of the absence.
    OTEL_BSP_SCHEDULE_DELAY: '500',
  })
  onTestFinished(() => orders.kill())
  const end = performance.now() + absenceMilliseconds
  let placed = 0
  while (performance.now() < end) {
    await placeOrders(orders, 50)
    placed += 50
    await wait(200)
  }
  expect(placed).toBeGreaterThan(1_000)
  const collector = await startCollector(builtProgram('UPKEEP_COLLECTOR'), { port })
  onTestFinished(() => collector.dispose())
  return { orders, collector, started: placed * 2 }
}

/** Returns the number of spans in a state: the value of a meter of the export. */
async function spansIn(state: string, { url }: OrdersProcess): Promise<number> {
  const page = await (await fetch(`${url}/management/prometheus`)).text()
  return Number(new RegExp(`^otlp_${state}{signal="traces"} (\\S+)$`, 'm').exec(page)?.[1])
}

describe('a Collector that was away for 20 seconds', { timeout: 600_000 }, () => {
  it('receives each span of that time once', async () => {
    const { orders, collector, started } = await placeWithoutCollector('upkeep')
    expect(await orders.stop()).toBe(0)
    await collector.stop()
    const spans = await collector.spans()
    expect(spans).toHaveLength(started)
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(started)
  })

  it("receives each span once or has it counted as lost, with OpenTelemetry's exporter", async () => {
    const { orders, collector, started } = await placeWithoutCollector('opentelemetry')
    await expect.poll(() => spansIn('queue_size', orders), { timeout: 180_000, interval: 200 }).toBe(0)
    const lost = (await spansIn('dropped_total', orders)) + (await spansIn('failed_total', orders))
    expect(await orders.stop()).toBe(0)
    await collector.stop()
    const spans = await collector.spans()
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
    expect(lost).toBeGreaterThan(0)
    expect(spans.length + lost).toBe(started)
  })
})
