import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackPackage } from '../../support/package/packed.ts'
import type { TestServer } from '../../support/server-process.ts'
import { queryPrometheus, startPrometheus } from '../../support/start-prometheus.ts'
import { builtProgram } from '../programs.ts'
import { emptyQueries, readDashboards, type Sample } from './dashboard.ts'
import { placeOrders, type Service, scrapePath, startService } from './services.ts'

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

const patiently = { timeout: 180_000, interval: 500 }

const packed = unpackPackage()
afterAll(packed.remove)

describe('public dashboards with Prometheus 3, of a service under load', () => {
  let services: readonly Service[] = []
  let prometheus: TestServer
  let stopPlacing = async () => {}
  beforeAll(async () => {
    const orders = await startService(packed, 'micrometer-service.mjs', ['generic-pool'])
    const measured = await startService(packed, 'prom-client-service.mjs', ['prom-client'])
    services = [orders, measured]
    stopPlacing = placeOrders(orders.port)
    prometheus = await startPrometheus(
      { orders: { port: orders.port, path: scrapePath }, measured: { port: measured.port, path: scrapePath } },
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
