import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, startChild } from '../../support/child.ts'
import { createConsumer } from '../../support/package/consumer.ts'
import { unpackPackage } from '../../support/package/packed.ts'
import type { TestServer } from '../../support/server-process.ts'
import { queryPrometheus, startPrometheus } from '../../support/start-prometheus.ts'
import { builtProgram } from '../programs.ts'
import { emptyQueries, readDashboards, type Sample } from './dashboard.ts'

/** What further public dashboards read, and their variables. */
const samples = [
  'application_ready_time_seconds{main_application_class="main.mjs"}',
  'application_started_time_seconds{main_application_class="main.mjs"}',
  'cache_gets_total{name="prices",result="miss"}',
  'hikaricp_connections{pool="database"}',
  'hikaricp_connections_active{pool="database"}',
  'hikaricp_connections_idle{pool="database"}',
  'hikaricp_connections_max{pool="database"}',
  'hikaricp_connections_min{pool="database"}',
  'hikaricp_connections_pending{pool="database"}',
  'hikaricp_connections_timeout_total{pool="database"}',
  'rate(hikaricp_connections_acquire_seconds_sum[1m])/rate(hikaricp_connections_acquire_seconds_count[1m])',
  'rate(hikaricp_connections_usage_seconds_sum[1m])/rate(hikaricp_connections_usage_seconds_count[1m])',
  'hikaricp_connections_creation_seconds_count{pool="database"}',
  'jdbc_connections_active{name="database"}',
  'jvm_gc_overhead',
  'jvm_info{runtime="node"}',
  'jvm_memory_max_bytes{area="nonheap"} == -1',
  'jvm_threads_states_threads{state="runnable"}',
  'jvm_threads_started_threads_total',
  'rate(process_cpu_time_ns_total[1m])',
]

const page = '/management/prometheus'
const patiently = { timeout: 45_000, interval: 500 }

const packed = unpackPackage()
afterAll(packed.remove)

interface Service {
  readonly child: Child
  readonly port: number
}

/** Starts a service of this folder with the packed package and others. */
async function startService(file: string, packages: readonly string[]): Promise<Service> {
  const folder = createConsumer(packed, packages)
  cpSync(join(import.meta.dirname, file), join(folder, 'main.mjs'))
  const child = startChild(process.execPath, ['main.mjs'], { cwd: folder, env: { PATH: process.env['PATH'] } })
  const line = await child.out.line(/^port \d+$/).catch((error: Error) => {
    throw new Error(`${file} does not start: ${child.err.lines.join('\n')}`, { cause: error })
  })
  return { child, port: Number(line.slice('port '.length)) }
}

/** Sends requests one after another until it is stopped. */
function placeOrders(port: number): () => Promise<void> {
  let isOn = true
  const placing = (async () => {
    for (let id = 1; isOn; id += 1) await (await fetch(`http://127.0.0.1:${port}/orders/${id}`)).arrayBuffer()
  })()
  return async () => {
    isOn = false
    await placing
  }
}

describe('public dashboards with Prometheus 3, of a service under load', () => {
  let services: readonly Service[] = []
  let prometheus: TestServer
  let stopPlacing = async () => {}
  beforeAll(async () => {
    const orders = await startService('micrometer-service.mjs', ['generic-pool'])
    const measured = await startService('prom-client-service.mjs', ['prom-client'])
    services = [orders, measured]
    stopPlacing = placeOrders(orders.port)
    prometheus = await startPrometheus(
      { orders: { port: orders.port, path: page }, measured: { port: measured.port, path: page } },
      { command: builtProgram('UPKEEP_PROMETHEUS') },
    )
  })
  afterAll(async () => {
    await stopPlacing()
    await prometheus?.dispose()
    for (const { child } of services) await child.kill()
  })

  const evaluate = async (query: string): Promise<readonly Sample[]> => {
    type Found = { readonly result: readonly { readonly metric: Sample['metric']; readonly value: [number, string] }[] }
    const { result } = await queryPrometheus<Found>(prometheus, 'query', { query })
    return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
  }

  it.each(readDashboards().map((dashboard) => [dashboard.title, dashboard] as const))(
    '%s has a value for every query of a general panel',
    async (_title, dashboard) => {
      await expect.poll(() => emptyQueries(dashboard, evaluate), patiently).toEqual([])
    },
  )

  it.each(samples)('%s has a value', async (query) => {
    const values = async () => (await evaluate(query)).filter(({ value }) => !Number.isNaN(value))
    await expect.poll(values, patiently).not.toEqual([])
  })
})
