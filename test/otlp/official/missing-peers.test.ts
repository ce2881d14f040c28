import * as api from '@opentelemetry/api'
import * as metrics from '@opentelemetry/sdk-metrics'
import * as base from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadMetricsPeers, loadTracingPeers } from '../../../src/otlp/official/peers.ts'

/** The packages whose import fails, and how. */
const failing = vi.hoisted(() => new Map<string, unknown>())

/** Adds a property to a module that lets `await import()` fail when a test wants it. */
const mayFail = vi.hoisted(() => (name: string) => async (original: () => Promise<object>) => {
  const fail = (_: unknown, reject: (error: unknown) => void) => reject(failing.get(name))
  return Object.defineProperty({ ...(await original()) }, 'then', {
    enumerable: true,
    get: () => (failing.has(name) ? fail : undefined),
  })
})

vi.mock('@opentelemetry/sdk-metrics', mayFail('@opentelemetry/sdk-metrics'))
vi.mock('@opentelemetry/sdk-trace', mayFail('@opentelemetry/sdk-trace'))
vi.mock('@opentelemetry/sdk-trace-base', mayFail('@opentelemetry/sdk-trace-base'))

const name = '@opentelemetry/sdk-metrics'

function errorOf(code: string, message: string, properties: object = {}): Error {
  return Object.assign(new Error(message), { code, ...properties })
}

const missing = (wanted = name) =>
  errorOf('ERR_MODULE_NOT_FOUND', `Cannot find package '${wanted}' imported from /app/node_modules/upkeep/otlp.js`)

/** As if the application had none of the packages either. */
const elsewhere = () => vi.spyOn(process, 'cwd').mockReturnValue('/nowhere')

beforeEach(async () => {
  // Before any of them fails.
  await Promise.all([loadMetricsPeers(), loadTracingPeers(), import('@opentelemetry/sdk-trace-base')])
})
afterEach(() => {
  failing.clear()
  vi.restoreAllMocks()
})

describe('a package that cannot be found', () => {
  it.each([
    [name, loadMetricsPeers],
    ['@opentelemetry/sdk-trace', loadTracingPeers],
  ])('is named with the command that installs it: %s', async (wanted, load) => {
    elsewhere()
    failing.set(wanted, missing(wanted))
    failing.set('@opentelemetry/sdk-trace-base', missing('@opentelemetry/sdk-trace-base'))
    await expect(load()).rejects.toMatchObject({
      code: 'UPKEEP_EPACKAGE',
      message: expect.stringMatching(
        new RegExp(`^startTelemetry requires ${wanted}, which is not installed\\. Install it: npm install @open`),
      ),
    })
  })

  it.each([
    ['of Node', missing()],
    ['of CommonJS', errorOf('MODULE_NOT_FOUND', `Cannot find module '${name}'\nRequire stack:`)],
    [
      "of Yarn Plug'n'Play",
      errorOf('MODULE_NOT_FOUND', `upkeep tried to access ${name}, but it isn't declared in its dependencies`, {
        pnpCode: 'UNDECLARED_DEPENDENCY',
      }),
    ],
  ])('is that of the application, after an error %s', async (_, error) => {
    failing.set(name, error)
    const peers = await loadMetricsPeers()
    expect(peers.metrics.MeterProvider).toBeTypeOf('function')
    expect(peers.metrics).not.toBe(metrics)
  })
})

describe('the error of a package that is there', () => {
  it.each([
    ['because another module is missing', missing('@opentelemetry/other')],
    ['because it fails', new SyntaxError('Unexpected token')],
    ['with another code', errorOf('ERR_REQUIRE_ESM', `require() of '${name}' is not supported`)],
    ['with a code that ends alike', errorOf('APP_MODULE_NOT_FOUND', `'${name}' is gone`)],
    ['that names it without quotes', errorOf('MODULE_NOT_FOUND', `Cannot find what ${name} requires`)],
    ['that is none', `Cannot find package '${name}'`],
  ])('is passed on: %s', async (_, error) => {
    failing.set(name, error)
    await expect(loadMetricsPeers()).rejects.toBe(error)
  })
})

it('sdk-trace-base is used if there is no sdk-trace', async () => {
  elsewhere()
  failing.set('@opentelemetry/sdk-trace', missing('@opentelemetry/sdk-trace'))
  const { sdk } = await loadTracingPeers()
  expect(sdk.TracerProvider).toBe(base.BasicTracerProvider)
  expect(sdk.TraceIdRatioBasedSampler).toBe(base.TraceIdRatioBasedSampler)
  const exported: string[] = []
  const exporter = {
    export(spans: readonly { readonly name: string }[], done: (result: { readonly code: number }) => void) {
      exported.push(...spans.map((span) => span.name))
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  const processor = new sdk.BatchSpanProcessor({ exporter, maxQueueSize: 1, maxExportBatchSize: 1 })
  const provider = new sdk.TracerProvider({ spanProcessors: [processor] })
  provider.getTracer('test').startSpan('work', {}, api.ROOT_CONTEXT).end()
  await provider.forceFlush()
  expect(exported).toEqual(['work'])
  await provider.shutdown()
})
