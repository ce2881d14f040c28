import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackPackage } from '../../support/package/packed.ts'
import type { TestServer } from '../../support/server-process.ts'
import { queryPrometheus, startPrometheus } from '../../support/start-prometheus.ts'
import { builtProgram } from '../programs.ts'
import { placeOrders, type Service, scrapePath, startService } from './services.ts'

/** What panels for OpenTelemetry's conventions read, with `$job` for the labels of the service. */
const queries = [
  'sum by (http_route) (rate(http_server_request_duration_seconds_count{$job,http_route="/orders/:id"}[10s]))',
  'rate(http_server_request_duration_seconds_count{$job,http_request_method="GET",url_scheme="http"}[10s]) > 0',
  'http_server_request_duration_seconds_count{$job,http_response_status_code="200",network_protocol_version="1.1"} > 0',
  'rate(http_server_request_duration_seconds_count{$job,http_response_status_code="500",error_type="500"}[10s]) > 0',
  'histogram_quantile(0.99, sum by (le) (rate(http_server_request_duration_seconds_bucket{$job}[10s]))) > 0',
  'http_server_active_requests{$job,http_request_method="GET",url_scheme="http"}',
  'rate(http_client_request_duration_seconds_count{$job,http_request_method="GET"}[10s]) > 0',
  'http_client_request_duration_seconds_count{$job,server_address="127.0.0.1"} > 0',
  'histogram_quantile(0.5, sum by (le) (rate(http_client_request_duration_seconds_bucket{$job}[10s]))) > 0',
  'db_client_connection_count{$job,db_client_connection_pool_name="database",db_client_connection_state="idle"}',
  'db_client_connection_limit{$job,db_client_connection_pool_name="database"} == 4',
  'db_client_connection_pending_requests{$job}',
  'rate(db_client_connection_use_time_seconds_count{$job}[10s]) > 0',
  ...['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
    (name) => `nodejs_eventloop_delay_${name}_seconds{$job}`,
  ),
  'nodejs_eventloop_utilization_ratio{$job} <= 1',
  'rate(nodejs_eventloop_time_seconds_total{$job,nodejs_eventloop_state="active"}[10s]) > 0',
  'rate(v8js_gc_duration_seconds_count{$job,v8js_gc_type="minor"}[10s]) > 0',
  'sum(v8js_memory_heap_used_bytes{$job}) > 1e6',
  'v8js_memory_heap_space_size_bytes{$job,v8js_heap_space_name="new_space"}',
  'v8js_memory_heap_space_available_size_bytes{$job,v8js_heap_space_name="new_space"}',
  'v8js_memory_heap_space_physical_size_bytes{$job,v8js_heap_space_name="new_space"}',
  'v8js_resource_active{$job}',
  'sum(rate(process_cpu_time_seconds_total{$job}[10s])) > 0',
  'process_cpu_utilization_ratio{$job}',
  'process_memory_usage_bytes{$job} > 1e6',
  'process_thread_count{$job} > 0',
  'process_unix_file_descriptor_count{$job} > 0',
  'process_uptime_seconds{$job} > 0',
  'system_cpu_utilization_ratio{$job}',
  'system_cpu_logical_count{$job} > 0',
]

const patiently = { timeout: 180_000, interval: 500 }

const packed = unpackPackage()
afterAll(packed.remove)

describe("OpenTelemetry's conventions in Prometheus 3, of a service under load", () => {
  let service: Service | undefined
  let prometheus: TestServer
  let receiver: TestServer
  let stopPlacing = async () => {}
  beforeAll(async () => {
    // First the Prometheus that the service sends to, without a job of its own.
    const program = { command: builtProgram('UPKEEP_PROMETHEUS') }
    receiver = await startPrometheus({}, { ...program, args: ['--web.enable-otlp-receiver'] })
    service = await startService(packed, 'opentelemetry-service.mjs', ['generic-pool'], {
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/api/v1/otlp/v1/metrics`,
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    })
    const { port } = service
    prometheus = await startPrometheus(
      {
        text: { port, path: scrapePath, settings: { fallback_scrape_protocol: 'PrometheusText0.0.4' } },
        native: {
          port,
          path: scrapePath,
          settings: { scrape_native_histograms: true, always_scrape_classic_histograms: true },
        },
      },
      program,
    )
    stopPlacing = placeOrders(port)
  })
  afterAll(async () => {
    await stopPlacing()
    await prometheus?.dispose()
    await receiver?.dispose()
    await service?.child.kill()
  })

  async function valuesOf(server: TestServer, query: string): Promise<readonly number[]> {
    type Found = { readonly result: readonly { readonly value: readonly [number, string] }[] }
    const { result } = await queryPrometheus<Found>(server, 'query', { query })
    return result.map(({ value: [, value] }) => Number(value)).filter((value) => !Number.isNaN(value))
  }

  it.each(queries)('%s has a value by text, by protobuf and by OTLP', async (query) => {
    const withJob = (job: string) => query.replaceAll('$job', `job="${job}"`)
    await expect.poll(() => valuesOf(prometheus, withJob('text')), patiently).not.toEqual([])
    await expect.poll(() => valuesOf(prometheus, withJob('native')), patiently).not.toEqual([])
    await expect.poll(() => valuesOf(receiver, withJob('orders')), patiently).not.toEqual([])
  })

  it('has native histograms of requests by protobuf', async () => {
    const query = 'histogram_quantile(0.99, sum(rate(http_server_request_duration_seconds{job="native"}[10s]))) > 0'
    await expect.poll(() => valuesOf(prometheus, query), patiently).toHaveLength(1)
  })

  it('is scraped without an error', async () => {
    type Targets = { readonly activeTargets: readonly { readonly lastError: string; readonly health: string }[] }
    const states = async () => {
      const { activeTargets } = await queryPrometheus<Targets>(prometheus, 'targets', {})
      return activeTargets.map(({ health, lastError }) => `${health} ${lastError}`.trim())
    }
    await expect.poll(states, patiently).toEqual(['up', 'up'])
  })
})
