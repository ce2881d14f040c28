import { createMeterRegistry } from 'upkeep/metrics'
import type { TelemetryOptions } from 'upkeep/otlp'
import { describe, expect, it } from 'vitest'
import { resolveSettings, type TelemetrySettings } from '../../../src/otlp/settings/settings.ts'
import type { Environment } from '../../../src/otlp/settings/variables.ts'

const meters = createMeterRegistry()

function resolve(options: object, environment: Environment = {}): TelemetrySettings {
  const given = { management: { meters }, ...options } as TelemetryOptions
  return resolveSettings(given, environment, () => 'instance-1')
}

const certificates = { ca: undefined, cert: undefined, key: undefined }
const receiver = {
  headers: {},
  timeoutMilliseconds: 10_000,
  compression: 'none',
  protocol: 'http/protobuf',
  proxy: undefined,
  certificates,
}
const defaults = {
  resource: { 'service.instance.id': 'instance-1' },
  tracing: {
    ...receiver,
    url: 'http://localhost:4318/v1/traces',
    sampling: { parentBased: true, probability: 1 },
    queue: {
      maximumQueueSize: 2_048,
      maximumBatchSize: 2_048,
      readySize: 512,
      maximumQueueBytes: 16_777_216,
      delayMilliseconds: 5_000,
      timeoutMilliseconds: 30_000,
    },
  },
  metrics: {
    ...receiver,
    url: 'http://localhost:4318/v1/metrics',
    stepMilliseconds: 60_000,
    temporality: 'cumulative',
  },
}

const logs = {
  ...receiver,
  url: 'http://localhost:4318/v1/logs',
  queue: {
    ...{ maximumQueueSize: 2_048, maximumBatchSize: 2_048, readySize: 512 },
    ...{ maximumQueueBytes: 16_777_216, delayMilliseconds: 1_000 },
  },
  minimumSeverity: 1,
  maximumAttributes: 128,
  console: false,
}

describe('resolveSettings', () => {
  it('returns the defaults of the specification without options and variables', () => {
    expect(resolve({})).toEqual({ ...defaults, logs })
  })

  /** Options, variables, and what of the settings differs from the defaults. */
  it.each<readonly [string, object, Environment, object]>([
    [
      'a receiver of both',
      { url: 'https://otlp.example/base' },
      {},
      {
        tracing: { url: 'https://otlp.example/base/v1/traces' },
        metrics: { url: 'https://otlp.example/base/v1/metrics' },
      },
    ],
    [
      'a receiver of both, with a slash and a query',
      { url: 'http://a/?key=1' },
      {},
      {
        tracing: { url: 'http://a/v1/traces?key=1' },
        metrics: { url: 'http://a/v1/metrics?key=1' },
      },
    ],
    [
      'receivers of their own, as they stand',
      { tracing: { url: 'http://a/x' }, metrics: { url: 'http://b' } },
      {},
      {
        tracing: { url: 'http://a/x' },
        metrics: { url: 'http://b' },
      },
    ],
    [
      'the endpoint of both',
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:4318/' },
      {
        tracing: { url: 'http://a:4318/v1/traces' },
        metrics: { url: 'http://a:4318/v1/metrics' },
      },
    ],
    [
      'an endpoint of one before that of both',
      {},
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:4318',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b/in',
      },
      { tracing: { url: 'http://b/in' }, metrics: { url: 'http://a:4318/v1/metrics' } },
    ],
    [
      'an option before all variables',
      { url: 'http://c' },
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense',
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://b/in',
      },
      { tracing: { url: 'http://c/v1/traces' }, metrics: { url: 'http://c/v1/metrics' } },
    ],
    ['a variable that is empty', {}, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ', OTEL_SDK_DISABLED: '' }, {}],
    [
      'headers, the nearer before the further',
      { headers: { B: '2', C: '2' }, tracing: { headers: { c: '3' } } },
      {
        OTEL_EXPORTER_OTLP_HEADERS: 'a=0, b=0,c=0,d=Bearer%20x%2Cy',
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'A=1',
      },
      {
        tracing: { headers: { a: '0', b: '2', c: '3', d: 'Bearer x,y' } },
        metrics: { headers: { a: '1', b: '2', c: '2', d: 'Bearer x,y' } },
      },
    ],
    [
      'a timeout',
      { timeout: '3s', metrics: { timeout: '2s' } },
      { OTEL_EXPORTER_OTLP_TIMEOUT: '1' },
      {
        tracing: { timeoutMilliseconds: 3_000 },
        metrics: { timeoutMilliseconds: 2_000 },
      },
    ],
    [
      'a timeout by variables',
      {},
      { OTEL_EXPORTER_OTLP_TIMEOUT: '7000', OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '500' },
      {
        tracing: { timeoutMilliseconds: 500 },
        metrics: { timeoutMilliseconds: 7_000 },
      },
    ],
    [
      'a timeout that leaves a step its end',
      { metrics: { step: '1s' } },
      {},
      {
        metrics: { stepMilliseconds: 1_000, timeoutMilliseconds: 900 },
      },
    ],
    [
      'a step and a timeout by variables',
      {},
      { OTEL_METRIC_EXPORT_INTERVAL: '30000', OTEL_METRIC_EXPORT_TIMEOUT: '4000' },
      {
        metrics: { stepMilliseconds: 30_000, timeoutMilliseconds: 4_000 },
      },
    ],
    [
      'a compression',
      { compression: 'gzip', metrics: { compression: 'none' } },
      {},
      { tracing: { compression: 'gzip' } },
    ],
    [
      'a compression by variables',
      {},
      {
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none',
      },
      { metrics: { compression: 'gzip' } },
    ],
    [
      'certificates',
      {},
      {
        OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca.pem',
        OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: '/c.pem',
        OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: '/k.pem',
      },
      {
        tracing: { certificates: { ca: '/ca.pem', cert: '/c.pem', key: '/k.pem' } },
        metrics: { certificates: { ...certificates, ca: '/ca.pem' } },
      },
    ],
    ['the protocol', { protocol: 'http/protobuf' }, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, {}],
    ['the protocol by a variable', {}, { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, {}],
    ['a temporality', { metrics: { temporality: 'delta' } }, {}, { metrics: { temporality: 'delta' } }],
    [
      'a temporality by a variable',
      {},
      { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'LowMemory' },
      {
        metrics: { temporality: 'lowmemory' },
      },
    ],
    [
      'a probability',
      { tracing: { probability: 0.1 } },
      { OTEL_TRACES_SAMPLER: 'always_on' },
      {
        tracing: { sampling: { parentBased: true, probability: 0.1 } },
      },
    ],
    [
      'no timer of more than 23 days',
      { timeout: '90d', metrics: { step: '365d' }, tracing: { delay: '30d' } },
      { OTEL_METRIC_EXPORT_TIMEOUT: '99999999999' },
      {
        metrics: { stepMilliseconds: 2e9, timeoutMilliseconds: 1.8e9 },
        tracing: { timeoutMilliseconds: 2e9, queue: { ...defaults.tracing.queue, delayMilliseconds: 2e9 } },
      },
    ],
    [
      'a queue',
      { tracing: { maximumQueueSize: 100, maximumBatchSize: 200, delay: '1s' } },
      {},
      {
        tracing: {
          queue: {
            ...defaults.tracing.queue,
            ...{ maximumQueueSize: 100, maximumBatchSize: 100, readySize: 100, delayMilliseconds: 1_000 },
          },
        },
      },
    ],
    [
      'a small queue',
      { tracing: { maximumQueueSize: 100 } },
      {},
      {
        tracing: {
          queue: { ...defaults.tracing.queue, maximumQueueSize: 100, maximumBatchSize: 100, readySize: 100 },
        },
      },
    ],
    [
      'a queue by variables',
      {},
      {
        OTEL_BSP_SCHEDULE_DELAY: '1',
        OTEL_BSP_EXPORT_TIMEOUT: '2',
        OTEL_BSP_MAX_QUEUE_SIZE: '4',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '3',
      },
      {
        tracing: {
          queue: {
            ...defaults.tracing.queue,
            maximumQueueSize: 4,
            maximumBatchSize: 3,
            readySize: 3,
            delayMilliseconds: 1,
            timeoutMilliseconds: 2,
          },
        },
      },
    ],
  ])('applies %s', (_, options, environment, differing) => {
    const { logs: _logs, ...settings } = resolve(options, environment)
    const { tracing = {}, metrics = {} } = differing as { readonly tracing?: object; readonly metrics?: object }
    expect(settings).toEqual({
      ...defaults,
      tracing: { ...defaults.tracing, ...tracing },
      metrics: { ...defaults.metrics, ...metrics },
    })
  })

  it.each<readonly [string, object, Environment, object]>([
    ['a receiver of all signals', { url: 'http://a/base' }, {}, { url: 'http://a/base/v1/logs' }],
    ['a receiver of its own', { logs: { url: 'http://a' } }, {}, { url: 'http://a' }],
    [
      'variables',
      {},
      {
        OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://b/logs',
        OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'A=1',
        OTEL_BLRP_SCHEDULE_DELAY: '5',
        OTEL_BLRP_MAX_QUEUE_SIZE: '4',
        OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '3',
        OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: '7',
      },
      {
        url: 'http://b/logs',
        headers: { a: '1' },
        queue: { ...logs.queue, maximumQueueSize: 4, maximumBatchSize: 3, readySize: 3, delayMilliseconds: 5 },
        maximumAttributes: 7,
      },
    ],
    [
      'options before variables',
      { logs: { level: 'ERROR', console: true, delay: '2s', maximumQueueSize: 2, maximumQueueBytes: 9 } },
      { OTEL_BLRP_SCHEDULE_DELAY: '5', OTEL_BLRP_MAX_QUEUE_SIZE: '4' },
      {
        minimumSeverity: 17,
        console: true,
        queue: {
          ...{ maximumQueueSize: 2, maximumBatchSize: 2, readySize: 2 },
          ...{ maximumQueueBytes: 9, delayMilliseconds: 2_000 },
        },
      },
    ],
  ])('applies to logs %s', (_, options, environment, differing) => {
    expect(resolve(options, environment).logs).toEqual({ ...logs, ...differing })
  })

  it.each<readonly [string, object, Environment, boolean]>([
    ['logs: false', { logs: false }, {}, false],
    ['logs.enabled: false', { logs: { enabled: false } }, {}, false],
    ['no exporter of logs', {}, { OTEL_LOGS_EXPORTER: 'none' }, false],
    ['no exporter, and an option', { logs: { enabled: true } }, { OTEL_LOGS_EXPORTER: 'none' }, true],
    ['an SDK that is disabled', {}, { OTEL_SDK_DISABLED: 'true' }, false],
  ])('enables logs: %s', (_, options, environment, isSent) => {
    expect(resolve(options, environment).logs !== undefined).toBe(isSent)
  })

  it.each([
    ['always_on', undefined, { parentBased: false, probability: 1 }],
    ['always_off', '0.5', { parentBased: false, probability: 0 }],
    ['traceidratio', '0.25', { parentBased: false, probability: 0.25 }],
    ['traceidratio', undefined, { parentBased: false, probability: 1 }],
    ['parentbased_always_on', undefined, { parentBased: true, probability: 1 }],
    ['parentbased_always_off', undefined, { parentBased: true, probability: 0 }],
    ['parentbased_traceidratio', '.5', { parentBased: true, probability: 0.5 }],
    ['parentbased_traceidratio', '1.0', { parentBased: true, probability: 1 }],
    ['parentbased_traceidratio', '1e-4', { parentBased: true, probability: 0.0001 }],
    ['', '', { parentBased: true, probability: 1 }],
  ])('supports the sampler %s with %s', (sampler, argument, sampling) => {
    const environment = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument }
    expect(resolve({}, environment).tracing?.sampling).toEqual(sampling)
  })

  it.each<readonly [string, object, Environment, readonly string[]]>([
    ['nothing', {}, {}, ['tracing', 'metrics']],
    ['tracing: false', { tracing: false }, {}, ['metrics']],
    ['metrics: false', { metrics: false }, {}, ['tracing']],
    ['no exporter of traces', { tracing: { url: 'http://a' } }, { OTEL_TRACES_EXPORTER: 'none' }, ['metrics']],
    ['no exporter of metrics', {}, { OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'otlp' }, ['tracing']],
    [
      'no exporter, and an option',
      { tracing: { enabled: true } },
      { OTEL_TRACES_EXPORTER: 'none' },
      ['tracing', 'metrics'],
    ],
    ['an SDK that is disabled', {}, { OTEL_SDK_DISABLED: 'TRUE' }, []],
    [
      'an SDK that is disabled, and an option',
      { enabled: true },
      { OTEL_SDK_DISABLED: 'true' },
      ['tracing', 'metrics'],
    ],
    ['enabled: false', { enabled: false }, {}, []],
    ['enabled: false of one', { metrics: { enabled: false } }, {}, ['tracing']],
  ])('enables signals: %s', (_, options, environment, sent) => {
    const { tracing, metrics } = resolve(options, environment)
    expect([...(tracing ? ['tracing'] : []), ...(metrics ? ['metrics'] : [])]).toEqual(sent)
  })

  it.each<readonly [string, object, Environment, object]>([
    [
      'the management',
      { management: { meters, application: { name: 'a', version: '1' } } },
      {},
      {
        'service.name': 'a',
        'service.version': '1',
      },
    ],
    [
      'variables before the management',
      { management: { meters, application: { name: 'a' } } },
      {
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=b,deployment.environment.name=a%2Cb,service.instance.id=7',
      },
      { 'service.name': 'b', 'deployment.environment.name': 'a,b', 'service.instance.id': '7' },
    ],
    [
      'attributes that are percent-encoded, names too',
      {},
      { OTEL_RESOURCE_ATTRIBUTES: ' a%3Db = c%3Dd=e , f%20g=, ' },
      { 'a=b': 'c=d=e', 'f g': '' },
    ],
    [
      'the name before the attributes',
      {},
      { OTEL_RESOURCE_ATTRIBUTES: 'service.name=b', OTEL_SERVICE_NAME: 'c' },
      {
        'service.name': 'c',
      },
    ],
    [
      'options before variables',
      { application: { name: 'd' }, resource: { zone: 7, canary: true } },
      {
        OTEL_RESOURCE_ATTRIBUTES: 'zone=1',
        OTEL_SERVICE_NAME: 'c',
      },
      { 'service.name': 'd', zone: 7, canary: true },
    ],
  ])('sets the resource: %s', (_, options, environment, resource) => {
    expect(resolve(options, environment).resource).toEqual({ 'service.instance.id': 'instance-1', ...resource })
  })
})

const duration = 'expected a duration such as "5s" of more than 0'
const url = 'expected a URL such as "http://localhost:4318/v1/traces"'

describe('a proxy', () => {
  const secure = { url: 'https://collector.internal:4318' }
  const proxy = 'http://proxy:3128'

  it.each<readonly [string, object, Environment, string | undefined]>([
    ['of the lower-case variable', {}, { http_proxy: proxy }, 'http://proxy:3128/'],
    ['of the upper-case variable', {}, { HTTP_PROXY: proxy }, 'http://proxy:3128/'],
    ['without a scheme', {}, { http_proxy: 'proxy:3128' }, 'http://proxy:3128/'],
    ['of HTTPS', secure, { https_proxy: proxy, http_proxy: 'http://other:1' }, 'http://proxy:3128/'],
    ['that is for HTTP only', secure, { http_proxy: proxy }, undefined],
    ['with the receiver excluded', secure, { https_proxy: proxy, no_proxy: 'collector.internal' }, undefined],
    ['with its domain excluded', secure, { https_proxy: proxy, NO_PROXY: 'a.example, .internal' }, undefined],
    ['with its port excluded', secure, { https_proxy: proxy, no_proxy: 'internal:4318' }, undefined],
    ['with another port excluded', secure, { https_proxy: proxy, no_proxy: 'internal:443' }, 'http://proxy:3128/'],
    ['with a similar name excluded', secure, { https_proxy: proxy, no_proxy: 'ector.internal' }, 'http://proxy:3128/'],
    ['with everything excluded', secure, { https_proxy: proxy, no_proxy: '*' }, undefined],
    ['with an IPv6 address excluded', { url: 'http://[::1]:1' }, { http_proxy: proxy, no_proxy: '::1' }, undefined],
  ])('%s is used by the standard variables', (_, options, environment, expected) => {
    expect(resolve(options, environment).metrics?.proxy?.url.href).toBe(expected)
  })

  it('has the credentials of its URL', () => {
    const { metrics } = resolve({}, { http_proxy: 'http://user:p%40ss@proxy:3128' })
    expect(metrics?.proxy?.url.href).toBe('http://proxy:3128/')
    expect(metrics?.proxy?.headers).toEqual({ 'Proxy-Authorization': `Basic ${btoa('user:p@ss')}` })
  })
})

describe('invalid settings', () => {
  it.each<readonly [object, string]>([
    [{ tracing: { url: 'collector:4318' } }, `tracing.url: ${url}, received "collector:4318"`],
    [{ url: 'ftp://a' }, `url: ${url}, received "ftp://a"`],
    [{ metrics: { url: 1 } }, `metrics.url: ${url}, received 1`],
    [{ tracing: { probability: 1.1 } }, 'tracing.probability: expected a number from 0 to 1, received 1.1'],
    [{ tracing: { probability: '1' } }, 'tracing.probability: expected a number from 0 to 1, received "1"'],
    [{ metrics: { step: '1 minute' } }, `metrics.step: ${duration}, received "1 minute"`],
    [{ metrics: { step: '0s' } }, `metrics.step: ${duration}, received "0s"`],
    [
      { metrics: { temporality: 'both' } },
      'metrics.temporality: expected one of cumulative, delta, lowmemory, received "both"',
    ],
    [{ compression: 'br' }, 'compression: expected one of gzip, none, received "br"'],
    [{ protocol: 'grpc' }, 'protocol: expected one of http/protobuf, http/json, received "grpc"'],
    [
      { tracing: { protocol: 'http/xml' } },
      'tracing.protocol: expected one of http/protobuf, http/json, received "http/xml"',
    ],
    [{ headers: { 'a b': 'x' } }, 'headers: expected names of header fields, received "a b"'],
    [
      { headers: { authorization: 'secret\n' } },
      'headers.authorization: expected the value of a header field, received a string',
    ],
    [
      { tracing: { maximumQueueSize: 0 } },
      'tracing.maximumQueueSize: expected a whole number of 1 or more, received 0',
    ],
    [{ resource: { a: null } }, 'resource.a: expected a string, a number or a boolean, received null'],
    [{ management: {} }, 'management: expected the result of createManagement, or { meters }, received an object'],
    [{ tracing: true }, 'tracing: expected an object or false, received true'],
    [{ traces: {} }, 'unknown option "traces"; did you mean "tracing"?'],
    [{ metrics: { interval: '1m' } }, 'unknown option "metrics.interval"; did you mean "metrics.step"?'],
  ])('are rejected as options: %j', (options, message) => {
    expect(() => resolve(options)).toThrow(new TypeError(`startTelemetry: ${message}`))
  })

  const milliseconds = 'a whole number of milliseconds of 1 or more'

  it.each<readonly [string, string, string]>([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector', 'a URL such as "http://localhost:4318", received "collector"'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://a', 'a URL such as "http://localhost:4318", received "grpc://a"'],
    ['http_proxy', 'socks5://user:secret@proxy', 'the URL of a proxy such as "http://proxy:3128"'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'one of http/protobuf, http/json, received "grpc"'],
    ['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', 'http/xml', 'one of http/protobuf, http/json, received "http/xml"'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', `${milliseconds}, received "10s"`],
    ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', '0', `${milliseconds}, received "0"`],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd', 'one of gzip, none, received "zstd"'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '-1', `${milliseconds}, received "-1"`],
    ['OTEL_METRIC_EXPORT_TIMEOUT', 'never', `${milliseconds}, received "never"`],
    [
      'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE',
      'both',
      'one of cumulative, delta, lowmemory, received "both"',
    ],
    [
      'OTEL_TRACES_SAMPLER',
      'jaeger_remote',
      'one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, ' +
        'parentbased_traceidratio, received "jaeger_remote"',
    ],
    ['OTEL_BSP_SCHEDULE_DELAY', '1e3', `${milliseconds}, received "1e3"`],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', 'a whole number of 1 or more, received "0"'],
    ['OTEL_SDK_DISABLED', 'yes', 'true or false, received "yes"'],
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'one of otlp, none, received "zipkin"'],
    ['OTEL_METRICS_EXPORTER', 'prometheus', 'one of otlp, none, received "prometheus"'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a', 'percent-encoded pairs such as "key=value,other=value"'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz', 'percent-encoded pairs such as "key=value,other=value"'],
    ['OTEL_RESOURCE_ATTRIBUTES', '%zz=a', 'percent-encoded pairs such as "key=value,other=value"'],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'secret',
      'header fields with percent-encoded values such as "authorization=Bearer%20…,tenant=a"',
    ],
    [
      'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
      'a=%0a',
      'header fields with percent-encoded values such as "authorization=Bearer%20…,tenant=a"',
    ],
  ])('in the variable %s are rejected: %s', (name, value, message) => {
    expect(() => resolve({}, { [name]: value })).toThrow(new TypeError(`startTelemetry: ${name}: expected ${message}`))
  })

  it('in the argument of a sampler are rejected', () => {
    const environment = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '50%' }
    for (const argument of ['1.5', '2e0', '-0.1', 'NaN', '1e'])
      expect(() => resolve({}, { ...environment, OTEL_TRACES_SAMPLER_ARG: argument })).toThrow('a number from 0 to 1')
    expect(() => resolve({}, environment)).toThrow(
      'OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1, received "50%"',
    )
  })

  it('are reported all at once', () => {
    expect(() => resolve({ timeout: 5, url: '' })).toThrow(/timeout: .*; .*url: |url: .*; .*timeout: /)
    expect(() => resolve({}, { OTEL_BSP_MAX_QUEUE_SIZE: '0', OTEL_METRIC_EXPORT_INTERVAL: '0' })).toThrow(
      /OTEL_BSP_MAX_QUEUE_SIZE: .*; OTEL_METRIC_EXPORT_INTERVAL: /,
    )
  })

  it('are ignored if overridden, or of a disabled signal', () => {
    const nonsense = { OTEL_TRACES_SAMPLER: 'x', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'x', OTEL_BSP_MAX_QUEUE_SIZE: 'x' }
    expect(resolve({ tracing: false }, nonsense).metrics).toEqual(defaults.metrics)
    expect(resolve({ enabled: false }, { OTEL_METRIC_EXPORT_INTERVAL: 'x' }).metrics).toBeUndefined()
  })
})
