import { createMeterRegistry } from 'upkeep/metrics'
import type { TelemetryOptions } from 'upkeep/otlp'
import { describe, expect, it } from 'vitest'
import { isSpanId, isTraceId } from '../../../src/otlp/encoding/message-writer.ts'
import { shownUrl, urlHint } from '../../../src/otlp/settings/receiver-url.ts'
import { resolveSettings, type TelemetrySettings } from '../../../src/otlp/settings/settings.ts'
import { type MetricsSettings, metricsHint } from '../../../src/otlp/settings/signal-settings.ts'
import type { Environment } from '../../../src/otlp/settings/variables.ts'

const management = { meters: createMeterRegistry() }
const resolve = (options: object, environment: Environment = {}): TelemetrySettings =>
  resolveSettings({ management, ...options } as TelemetryOptions, environment, () => 'instance-1')

const cluster = { measurements: { slices: () => [] }, id: 'a', isFirst: () => true }
const aManagement = 'management: expected the result of createManagement, or { meters }'
const aCluster = 'cluster: expected the result of joinCluster'
const protobuf = 'protocol: expected "http/protobuf" with exporter: "opentelemetry", received "http/json"'
const parentBased =
  'keepFailedRequests: expected an OTEL_TRACES_SAMPLER with the prefix "parentbased_" with exporter: "opentelemetry"'
const official = { exporter: 'opentelemetry' }
const alwaysOn = { OTEL_TRACES_SAMPLER: 'always_on' }

describe('an option', () => {
  it.each<readonly [options: object, fault: string]>([
    [{ management: 1 }, `${aManagement}, received 1`],
    [{ management: null }, `${aManagement}, received null`],
    [{ management: {} }, `${aManagement}, received an object`],
    [{ management: { meters: { slices: 1 } } }, `${aManagement}, received an object`],
    [{ management: { meters: { counter: 1 } } }, `${aManagement}, received an object`],
    [{ management: { meters: null } }, `${aManagement}, received an object`],
    [{ management: { meters: 1 } }, `${aManagement}, received an object`],
    [{ management: () => 1 }, `${aManagement}, received a function`],
    [{ cluster: 1 }, `${aCluster}, received 1`],
    [{ cluster: null }, `${aCluster}, received null`],
    [{ cluster: { ...cluster, id: '' } }, `${aCluster}, received an object`],
    [{ cluster: { ...cluster, id: 1 } }, `${aCluster}, received an object`],
    [{ cluster: { ...cluster, isFirst: true } }, `${aCluster}, received an object`],
    [{ cluster: { ...cluster, measurements: {} } }, `${aCluster}, received an object`],
    [{ cluster: { ...cluster, measurements: null } }, `${aCluster}, received an object`],
    [
      { cluster, metrics: { temporality: 'delta' } },
      'metrics.temporality: expected "cumulative" with the option cluster, received "delta"',
    ],
    [{ ...official, tracing: { protocol: 'http/json' }, metrics: false }, protobuf],
    [{ ...official, metrics: { protocol: 'http/json' }, tracing: false }, protobuf],
    [{ logs: true }, 'logs: expected an object or false, received true'],
    [
      { logs: { level: 'LOUD' } },
      'logs.level: expected one of TRACE, DEBUG, INFO, WARN, ERROR, FATAL, received "LOUD"',
    ],
    [{ tracing: true }, 'tracing: expected an object or false, received true'],
    [{ keepFailedRequests: 1 }, 'keepFailedRequests: expected true, false or { slowerThan }, received 1'],
    [{ resource: 1 }, 'resource: expected an object of attributes, received 1'],
    [{ resource: { a: {} } }, 'resource.a: expected a string, a number or a boolean, received an object'],
    [{ report: false }, 'report: expected a function (message, cause), received false'],
    [{ report: 1 }, 'report: expected a function (message, cause), received 1'],
    [{ clock: 1 }, 'clock: expected a clock: { wallTime, monotonicTime }, received 1'],
    [{ clock: { wallTime: () => 0 } }, 'clock.monotonicTime: expected a function, received undefined'],
    [{ schedule: 'daily' }, 'schedule: expected one of interval, flush, received "daily"'],
    [{ headers: { a: 1 } }, 'headers.a: expected a string, received a number'],
    [1 as unknown as object, 'options: expected an object, received 1'],
  ])('that is invalid is named with what is expected: %j', (options, fault) => {
    const given = typeof options === 'object' ? { management, ...options } : options
    expect(() => resolveSettings(given as TelemetryOptions, {}, () => 'instance-1')).toThrow(
      new TypeError(`startTelemetry: ${fault}`),
    )
  })

  it.each<readonly [object, Environment]>([
    [{ cluster }, {}],
    [{ cluster, metrics: false }, {}],
    [{ management: Object.assign(() => 1, management) }, {}],
    [{ ...official, keepFailedRequests: true }, {}],
    [{ ...official, keepFailedRequests: true, tracing: false }, alwaysOn],
    [{ ...official, keepFailedRequests: false }, alwaysOn],
    [{ keepFailedRequests: true }, alwaysOn],
    [{ tracing: { protocol: 'http/json' } }, {}],
    [{ tracing: false, metrics: false, logs: false }, {}],
  ])('is valid: %j', (options, environment) => {
    expect(() => resolve(options, environment)).not.toThrow()
  })
})

it('the exporters of OpenTelemetry require a sampler that follows the parent, to keep failed requests', () => {
  expect(() => resolve({ ...official, keepFailedRequests: true }, alwaysOn)).toThrow(
    new TypeError(`startTelemetry: ${parentBased}`),
  )
})

it('a variable with a secret is named without its value', () => {
  expect(() => resolve({}, { OTEL_EXPORTER_OTLP_HEADERS: 'canary' })).toThrow(
    /^startTelemetry: OTEL_EXPORTER_OTLP_HEADERS: expected header fields(?!.*canary)/,
  )
})

describe('the proxy of a receiver', () => {
  const proxyOf = (url: string, no_proxy: string) =>
    resolve({ url }, { http_proxy: 'http://proxy:3128', https_proxy: 'http://proxy:3128', no_proxy }).tracing?.proxy

  it.each([
    ['http://otlp.example:4318', 'example', true],
    ['http://otlp.example:4318', '.example', true],
    ['http://otlp.example:4318', '*.example', true],
    ['http://otlp.example:4318', 'otlp.example:4318', true],
    ['http://otlp.example:4318', 'otlp.example:4319', false],
    ['http://otlp.example', 'otlp.example:80', true],
    ['https://otlp.example', 'otlp.example:443', true],
    ['https://otlp.example', 'otlp.example:80', false],
    ['http://[::1]:4318', '::1', true],
    ['http://[::1]:4318', '[::1]:4318', true],
    ['http://[::1]:4318', '[::1]:4319', false],
    ['http://otlp.example', 'p.example', false],
    ['http://otlp.example', 'otlp].example', false],
    ['http://otlp.example', '*', true],
  ])('of %s is not used for %s: %s', (url, hosts, isDirect) => {
    expect(proxyOf(url, hosts) === undefined).toBe(isDirect)
  })
})

describe('the hint for a receiver that refuses', () => {
  const settingsWith = (temporality: string) =>
    ({ url: 'http://user:secret@otlp:4318', temporality }) as unknown as MetricsSettings
  const path = '; the URL of a signal is used unchanged: did you mean http://otlp:4318/v1/metrics?'

  it.each([
    [404, path],
    [405, path],
    [400, ''],
    [200, ''],
  ])('with %d is %j', (status, hint) => {
    expect(urlHint('http://user:secret@otlp:4318', 'v1/metrics')(status)).toBe(hint)
    expect(urlHint('http://otlp:4318/v1/metrics/', 'v1/metrics')(status)).toBe('')
  })

  it.each([
    [
      'delta',
      'unsupported Temporality',
      400,
      '; the receiver does not accept the temporality delta: set ' + 'metrics.temporality to cumulative',
    ],
    ['delta', 'no such page', 404, path],
    ['cumulative', 'unsupported temporality', 404, path],
  ])('of metrics with the temporality %s and the reason %j', (temporality, reason, status, hint) => {
    expect(metricsHint(settingsWith(temporality))(status, reason)).toBe(hint)
  })

  it('has no credentials, and no secret of the path', () => {
    expect(shownUrl('http://user:secret@otlp:4318/a?key=secret')).toBe('http://otlp:4318/a')
  })
})

it.each([
  ['a'.repeat(32), true, false],
  ['0123456789abcdef', false, true],
  [`${'a'.repeat(32)}a`, false, false],
  [`a${'0123456789abcdef'}`, false, false],
  ['A'.repeat(32), false, false],
  ['', false, false],
])('%s is a trace id: %s, a span id: %s', (text, isTrace, isSpan) => {
  expect([isTraceId(text), isSpanId(text)]).toEqual([isTrace, isSpan])
})
