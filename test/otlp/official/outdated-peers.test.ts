import { createMeterRegistry } from 'upkeep/metrics'
import { afterEach, expect, it, vi } from 'vitest'
import { loadMetricsPeers, loadTracingPeers } from '../../../src/otlp/official/peers.ts'
import { startTelemetry } from '../../../src/otlp/start-telemetry.ts'

/** The package whose manifest has another version than is installed. */
const outdated = vi.hoisted(() => ({ name: '', version: '', manifestOf: '' }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const readFileSync = (path: string, options: BufferEncoding) =>
    outdated.name !== '' && path.endsWith(`${outdated.name}/package.json`)
      ? JSON.stringify({ name: outdated.manifestOf || outdated.name, version: outdated.version })
      : fs.readFileSync(path, options)
  return { ...fs, readFileSync }
})

afterEach(() => {
  outdated.name = ''
  outdated.manifestOf = ''
})

const api = ['@opentelemetry/api', '1.8.0', '1.9.0'] as const
const core = ['@opentelemetry/core', '1.30.1', '2.0.0'] as const
const resources = ['@opentelemetry/resources', '1.30.1', '2.0.0'] as const
const sdkTrace = ['@opentelemetry/sdk-trace', '1.30.1', '2.0.0'] as const
const sdkMetrics = ['@opentelemetry/sdk-metrics', '1.30.1', '2.0.0'] as const
const traceExporter = ['@opentelemetry/exporter-trace-otlp-proto', '0.203.0', '0.204.0'] as const
const metricsExporter = ['@opentelemetry/exporter-metrics-otlp-proto', '0.203.0', '0.204.0'] as const

it.each([
  ...[api, core, resources, sdkTrace, traceExporter].map((each) => [...each, 'traces', loadTracingPeers] as const),
  ...[resources, sdkMetrics, metricsExporter].map((each) => [...each, 'metrics', loadMetricsPeers] as const),
])('%s %s is refused, because %s is required for %s', async (name, version, required, _, load) => {
  outdated.name = name
  outdated.version = version
  await expect(load()).rejects.toMatchObject({
    code: 'UPKEEP_EPACKAGE',
    message: expect.stringMatching(
      new RegExp(
        `^startTelemetry requires ${name} ${required} or newer, received ${version}\\. ` +
          'Install matching versions: npm install @opentelemetry/api@',
      ),
    ),
  })
})

it.each([api, core, traceExporter, sdkMetrics])('%s is accepted with the oldest version', async (name, _, required) => {
  outdated.name = name
  outdated.version = required
  await expect(loadMetricsPeers()).resolves.toHaveProperty('metrics')
  await expect(loadTracingPeers()).resolves.toHaveProperty('api')
})

it('the manifest of another package says nothing of the version', async () => {
  Object.assign(outdated, { name: '@opentelemetry/api', version: '0.1.0', manifestOf: 'the-application' })
  await expect(loadTracingPeers()).resolves.toHaveProperty('api')
})

it.each([
  ['metrics', sdkMetrics, { metrics: false }],
  ['traces', traceExporter, { tracing: false }],
] as const)('the packages for %s are not required without them', async (_, [name, version], options) => {
  outdated.name = name
  outdated.version = version
  const management = { meters: createMeterRegistry() }
  const start = (changes: object) =>
    startTelemetry({ management, exporter: 'opentelemetry', url: 'http://127.0.0.1:1', logs: false, ...changes })
  await expect(start({})).rejects.toThrow(`startTelemetry requires ${name}`)
  const telemetry = await start({ ...options, report: () => {} })
  await telemetry.shutdown(AbortSignal.abort())
})
