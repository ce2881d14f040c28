import { afterAll, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { exporters } from '../support/otlp/telemetry.ts'
import { unpackPackage } from '../support/package/packed.ts'
import { builtProgram } from './programs.ts'
import { startCollector } from './start-collector.ts'
import { placeOrders, startOrders } from './start-orders.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const absenceMilliseconds = 20_000

it.concurrent.each(exporters)(
  'a Collector that was away for 20 seconds receives each span of that time once from the exporter %s',
  async (exporter, { expect, onTestFinished }) => {
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
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const collector = await startCollector(builtProgram('UPKEEP_COLLECTOR'), { port })
    onTestFinished(() => collector.dispose())
    expect(await orders.stop()).toBe(0)
    await collector.stop()
    const spans = await collector.spans()
    expect(placed).toBeGreaterThan(1_000)
    expect(spans).toHaveLength(placed * 2)
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(placed * 2)
  },
  120_000,
)
