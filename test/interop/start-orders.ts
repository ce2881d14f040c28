import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../support/child.ts'
import { createConsumer } from '../support/package/consumer.ts'
import type { PackedPackage } from '../support/package/packed.ts'

export interface OrdersProcess {
  readonly port: number
  readonly url: string
  /** Shuts it down in order, and resolves with its exit code. */
  readonly stop: () => Promise<number | NodeJS.Signals | null>
  readonly kill: () => Promise<void>
}

const openTelemetry = [
  'api',
  'core',
  'resources',
  'sdk-trace',
  'sdk-metrics',
  'exporter-trace-otlp-proto',
  'exporter-metrics-otlp-proto',
].map((name) => `@opentelemetry/${name}`)

/** Starts the service of a file, by default `orders-service.mjs`, with the packed package, configured by variables. */
export async function startOrders(
  packed: PackedPackage,
  variables: NodeJS.ProcessEnv,
  file = 'orders-service.mjs',
): Promise<OrdersProcess> {
  const folder = createConsumer(packed, openTelemetry)
  cpSync(join(import.meta.dirname, file), join(folder, 'main.mjs'))
  const child = startChild(process.execPath, ['main.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      ...variables,
    },
  })
  const line = await child.out.line(/^port \d+$/).catch((error: Error) => {
    throw new Error(`the service does not start: ${child.err.lines.join('\n')}`, { cause: error })
  })
  const port = Number(line.slice('port '.length))
  const stop = async () => {
    child.process.stdin?.end()
    return await child.ended
  }
  return { port, url: `http://127.0.0.1:${port}`, stop, kill: child.kill }
}

/** Places so many orders, one after another: number 13 fails. */
export async function placeOrders({ url }: OrdersProcess, count: number): Promise<void> {
  for (let id = 1; id <= count; id += 1) await (await fetch(`${url}/orders/${id}`)).arrayBuffer()
}
