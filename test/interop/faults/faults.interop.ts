import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cert, key } from '../../support/localhost-certificate.ts'
import { exporters } from '../../support/otlp/telemetry.ts'
import { startPrometheus } from '../../support/start-prometheus.ts'
import { builtProgram } from '../programs.ts'
import { type Collector, type CollectorOptions, startCollector } from '../start-collector.ts'
import { type SignalName, startApplication } from './application.ts'
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts'

const signals: readonly SignalName[] = ['traces', 'metrics', 'logs']
const items = { traces: 'span', metrics: 'data point', logs: 'log record' } as const
const patiently = { timeout: 180_000, interval: 50 }

/** How often the item of this name has arrived; of metrics, the last count. */
async function arrivals(collector: Collector, signal: SignalName, name: string): Promise<number | undefined> {
  if (signal === 'traces') return (await collector.spans()).filter((span) => span.name === name).length
  if (signal === 'logs') return (await collector.logs()).filter((text) => text === name).length
  return (await collector.points(name)).at(-1)?.asDouble
}

/** What `arrivals` returns if the item has arrived once. */
const once = (signal: SignalName) => (signal === 'metrics' ? 2 : 1)

async function start(options: CollectorOptions = {}): Promise<Collector> {
  return await startCollector(builtProgram('UPKEEP_COLLECTOR'), options)
}

/** Starts a Collector for one test. */
async function useCollector(options: CollectorOptions): Promise<Collector> {
  const collector = await start(options)
  onTestFinished(() => collector.dispose())
  return collector
}

/** Starts a Collector whose memory limiter refuses everything, as it does from its first check on. */
async function useFullCollector(): Promise<Collector> {
  const full = await useCollector({
    processor: 'memory_limiter: { limit_mib: 2, spike_limit_mib: 1, check_interval: 100ms }',
  })
  const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'probe' }
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  const headers = { 'Content-Type': 'application/json' }
  const probe = async () => (await fetch(`${full.url}/v1/traces`, { method: 'POST', headers, body })).status
  await expect.poll(probe, patiently).toBe(503)
  return full
}

async function useFaultProxy(target: string): Promise<FaultProxy> {
  const proxy = await startFaultProxy(target)
  onTestFinished(() => proxy.dispose())
  return proxy
}

let collector: Collector
beforeAll(async () => {
  collector = await start()
})
afterAll(() => collector?.dispose())

describe.each(exporters)('a Collector that fails, with the exporter %s,', (exporter) => {
  const named = (signal: SignalName, test: string) => `${test}.${signal}.${exporter}`.replaceAll(/[^a-z0-9.]+/gi, '-')

  describe.each(signals)('receives %s once', (signal) => {
    it.each<readonly [string, readonly Fault[]]>([
      ['a 429', [{ status: 429 }]],
      ['a 429 with Retry-After', [{ status: 429, headers: { 'Retry-After': '1' } }]],
      ['a 503', [{ status: 503 }]],
      ['a 503 with Retry-After, twice', Array(2).fill({ status: 503, headers: { 'Retry-After': '1' } })],
      ['a reset connection', ['reset']],
    ])('after %s', async (fault, faults) => {
      const proxy = await useFaultProxy(collector.url)
      proxy.next(signal, ...faults)
      const application = await startApplication(exporter, signal, { url: proxy.url })
      const name = named(signal, fault)
      application.record(name)
      await application.telemetry.flush()
      await expect.poll(() => arrivals(collector, signal, name), patiently).toBe(once(signal))
      expect(proxy.responses.map((each) => each.replace(/.* /, ''))).toEqual([
        ...faults.map((each) => (typeof each === 'string' ? each : expect.stringMatching(/^(?:429|503)$/))),
        '200',
      ])
      expect(application.count('repeated')).toBe(faults.length)
      expect(application.count('failed')).toBe(0)
      expect(application.count('exported')).toBeGreaterThan(0)
      expect(application.reported).toEqual([])
    })

    it('after a partial success, whose rejected items are counted and not sent again', async () => {
      const proxy = await useFaultProxy(collector.url)
      proxy.next(signal, { rejected: 1, message: 'too old' })
      const application = await startApplication(exporter, signal, { url: proxy.url })
      const name = named(signal, 'partial success')
      application.record(name)
      await application.telemetry.flush()
      await expect.poll(() => arrivals(collector, signal, name), patiently).toBe(once(signal))
      expect(proxy.responses).toEqual([`/v1/${signal} rejected 1`])
      expect(application.count('rejected')).toBe(1)
      expect(application.reported).toEqual([`otlp: ${proxy.url}/v1/${signal} rejected 1 ${items[signal]}: too old`])
    })

    it('after a warning without a rejection, which is reported', async () => {
      const proxy = await useFaultProxy(collector.url)
      proxy.next(signal, { rejected: 0, message: 'deprecated attribute' })
      const application = await startApplication(exporter, signal, { url: proxy.url })
      const name = named(signal, 'warning')
      application.record(name)
      await application.telemetry.flush()
      await expect.poll(() => arrivals(collector, signal, name), patiently).toBe(once(signal))
      expect([application.count('rejected'), application.count('failed')]).toEqual([0, 0])
      expect(application.reported).toEqual([
        `otlp: ${proxy.url}/v1/${signal} accepted ${items[signal]}s with a warning: deprecated attribute`,
      ])
    })
  })

  describe.each(signals)('of %s', (signal) => {
    it('refuses by its memory limiter, and receives them once there is room', async () => {
      const full = await useFullCollector()
      const proxy = await useFaultProxy(full.url)
      const application = await startApplication(exporter, signal, { url: proxy.url })
      const name = named(signal, 'memory limiter')
      application.record(name)
      const flushed = application.telemetry.flush()
      await expect.poll(() => proxy.responses.length, patiently).toBe(1)
      proxy.passTo(collector.url)
      await flushed
      await expect.poll(() => arrivals(collector, signal, name), patiently).toBe(once(signal))
      expect(proxy.responses).toEqual([`/v1/${signal} 503`, `/v1/${signal} 200`])
      expect([application.count('repeated'), application.count('failed')]).toEqual([1, 0])
      expect(application.reported).toEqual([])
    })

    it('refuses them by its memory limiter to the end, which is counted and reported', async () => {
      const full = await useFullCollector()
      const application = await startApplication(exporter, signal, { url: full.url, timeout: '2s', flushTimeout: '3s' })
      application.record(named(signal, 'no memory'))
      await application.telemetry.shutdown()
      expect(application.count('exported')).toBe(0)
      expect(application.count('failed')).toBeGreaterThan(0)
      expect(application.reported.at(-1)).toMatch(
        new RegExp(
          `^otlp: failed to export \\d+ ${items[signal]}s? to ${full.url}/v1/${signal}: 503 .*high memory usage`,
        ),
      )
    })

    it('refuses a body that is too large, which is counted, reported and not sent again', async () => {
      const small = await useCollector({ http: 'max_request_body_size: 100' })
      const proxy = await useFaultProxy(small.url)
      const application = await startApplication(exporter, signal, { url: proxy.url })
      application.record(named(signal, 'large'))
      await application.telemetry.flush()
      expect(proxy.responses).toEqual([`/v1/${signal} 400`])
      expect(application.count('failed')).toBeGreaterThan(0)
      expect(application.reported).toEqual([
        expect.stringMatching(
          new RegExp(
            `^otlp: failed to export \\d+ ${items[signal]}s? to ${proxy.url}/v1/${signal}: 400 .*body too large$`,
          ),
        ),
      ])
    })

    it('has no pipeline for them, which is counted and reported with the URL', async () => {
      const others = await useCollector({ signals: signals.filter((each) => each !== signal) })
      const application = await startApplication(exporter, signal, { url: others.url })
      application.record(named(signal, 'no pipeline'))
      await application.telemetry.flush()
      expect(application.count('failed')).toBeGreaterThan(0)
      expect(application.reported).toEqual([
        expect.stringMatching(
          new RegExp(`^otlp: failed to export \\d+ ${items[signal]}s? to ${others.url}/v1/${signal}: 404 `),
        ),
      ])
    })

    it('receives them by TLS with a client certificate, and not without', async () => {
      const secure = await useCollector({
        files: { 'key.pem': key, 'cert.pem': cert },
        http: 'tls: { cert_file: FOLDER/cert.pem, key_file: FOLDER/key.pem, client_ca_file: FOLDER/cert.pem }',
      })
      const folder = secure.folder
      onTestFinished(() => void vi.unstubAllEnvs())
      const url = secure.url.replace('http://127.0.0.1', 'https://localhost')
      const name = named(signal, 'TLS')
      const stranger = await startApplication(exporter, signal, { url, timeout: '2s', flushTimeout: '3s' })
      stranger.record(name)
      await stranger.telemetry.shutdown()
      expect(stranger.count('exported')).toBe(0)
      expect(stranger.count('failed')).toBeGreaterThan(0)
      expect(stranger.reported.at(-1)).toContain(`to ${url}/v1/${signal}: receiver unreachable (`)

      vi.stubEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', `${folder}/cert.pem`)
      const nameless = await startApplication(exporter, signal, { url, timeout: '2s', flushTimeout: '3s' })
      nameless.record(name)
      await nameless.telemetry.shutdown()
      expect(nameless.count('exported')).toBe(0)
      expect(nameless.count('failed')).toBeGreaterThan(0)

      vi.stubEnv('OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', `${folder}/cert.pem`)
      vi.stubEnv('OTEL_EXPORTER_OTLP_CLIENT_KEY', `${folder}/key.pem`)
      const known = await startApplication(exporter, signal, { url })
      known.record(name)
      await known.telemetry.flush()
      await expect.poll(() => arrivals(secure, signal, name), patiently).toBe(once(signal))
      expect(known.reported).toEqual([])
    })
  })
})

describe.each(exporters)('a Prometheus 3 that wants cumulative counts, with the exporter %s,', (exporter) => {
  it('refuses deltas, which is counted and reported once with its reason', async () => {
    const prometheus = await startPrometheus(
      {},
      { command: builtProgram('UPKEEP_PROMETHEUS'), args: ['--web.enable-otlp-receiver'] },
    )
    onTestFinished(() => prometheus.dispose())
    const url = `${prometheus.url}/api/v1/otlp/v1/metrics`
    const application = await startApplication(exporter, 'metrics', { metrics: { url, temporality: 'delta' } })
    application.record('orders.placed')
    await application.telemetry.flush()
    await application.telemetry.flush()
    expect(application.count('exported')).toBe(0)
    expect(application.count('failed')).toBeGreaterThan(0)
    expect(application.reported).toEqual([
      expect.stringMatching(
        /^otlp: failed to export \d+ data points? to .*\/api\/v1\/otlp\/v1\/metrics: 500 .*temporality.*set metrics\.temporality to cumulative$/,
      ),
    ])
  })
})
