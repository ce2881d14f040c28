import * as z from 'zod/mini'
import { parseDuration } from '../../base/duration.ts'
import { withForeignNames } from '../../base/option-errors.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import { isReceiverUrl } from './receiver-url.ts'

/** Returns the schema of the options of startTelemetry. Created on demand. */
export function optionsSchema(): z.ZodMiniType {
  const optional = z.optional
  const oneOf = (values: readonly [string, ...string[]]) => z.enum(values, `one of ${values.join(', ')}`)
  const aFunction = (what: string) => z.custom((value) => typeof value === 'function', what)
  const text = z.string('a string').check(z.minLength(1, 'a non-empty string'))
  const flag = z.boolean('true or false')
  const aDuration = 'a duration such as "5s" of more than 0'
  const duration = z.string(aDuration).check(z.refine((value) => (parseDuration(value) ?? 0) >= 1, aDuration))
  const aUrl = 'a URL such as "http://localhost:4318/v1/traces"'
  const url = z.string(aUrl).check(z.refine(isReceiverUrl, aUrl))
  const aCount = 'a whole number of 1 or more'
  const count = z.int(aCount).check(z.gte(1, aCount))
  const aShare = 'a number from 0 to 1'
  const headerName = z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'names of header fields'))
  const headerValue = z.string('a string').check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'the value of a header field'))
  const application = z.strictObject({ name: text, version: optional(text) }, '{ name, version }')
  const attribute = z.union([z.string(), z.number(), z.boolean()], 'a string, a number or a boolean')

  const receiver = {
    headers: optional(z.record(headerName, headerValue, 'an object of header fields')),
    timeout: optional(duration),
    compression: optional(oneOf(['gzip', 'none'])),
    protocol: optional(oneOf(['http/protobuf', 'http/json'])),
  }
  const batches = {
    maximumQueueSize: optional(count),
    maximumQueueBytes: optional(count),
    maximumBatchSize: optional(count),
    delay: optional(duration),
  }
  const aSignal = 'an object or false'
  const tracing = withForeignNames(
    z.strictObject(
      {
        ...receiver,
        url: optional(url),
        probability: optional(z.number(aShare).check(z.gte(0, aShare), z.lte(1, aShare))),
        enabled: optional(flag),
        ...batches,
      },
      aSignal,
    ),
    tracingForeignNames,
  )
  const metrics = withForeignNames(
    z.strictObject(
      {
        ...receiver,
        url: optional(url),
        step: optional(duration),
        temporality: optional(oneOf(['cumulative', 'delta', 'lowmemory'])),
        enabled: optional(flag),
      },
      aSignal,
    ),
    metricsForeignNames,
  )
  const logs = withForeignNames(
    z.strictObject(
      {
        ...receiver,
        url: optional(url),
        enabled: optional(flag),
        level: optional(oneOf(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'])),
        console: optional(flag),
        ...batches,
      },
      aSignal,
    ),
    logsForeignNames,
  )
  const schema = z.strictObject(
    {
      ...receiver,
      management: z.custom(isMeasured, 'the result of createManagement, or { meters }'),
      cluster: optional(z.custom(isCluster, 'the result of joinCluster')),
      application: optional(application),
      exporter: optional(oneOf(['upkeep', 'opentelemetry'])),
      url: optional(url),
      tracing: optional(tracing),
      metrics: optional(metrics),
      logs: optional(logs),
      keepFailedRequests: optional(z.strictObject({ slowerThan: optional(duration) }, 'true, false or { slowerThan }')),
      resource: optional(z.record(text, attribute, 'an object of attributes')),
      enabled: optional(flag),
      schedule: optional(oneOf(['interval', 'flush'])),
      flushTimeout: optional(duration),
      report: optional(aFunction('a function (message, cause)')),
      clock: optional(
        z.looseObject(
          { wallTime: aFunction('a function'), monotonicTime: aFunction('a function') },
          'a clock: { wallTime, monotonicTime }',
        ),
      ),
    },
    'an object',
  )
  return withForeignNames(schema, telemetryForeignNames)
}

function isCluster(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { measurements, id, isFirst }: { measurements?: unknown; id?: unknown; isFirst?: unknown } = value
  const isSource = typeof measurements === 'object' && measurements !== null && 'slices' in measurements
  return isSource && typeof id === 'string' && id !== '' && typeof isFirst === 'function'
}

function isMeasured(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('meters' in value)) return false
  const { meters } = value
  return typeof meters === 'object' && meters !== null && 'slices' in meters && 'counter' in meters
}

/** What others call the options that the receivers of all signals have. */
const receiver: ForeignNames = {
  endpoint: 'url',
  collectorUrl: 'url',
  host: 'url',
  hostname: 'url',
  port: 'url',
  path: 'url',
  prefix: 'url',
  timeoutMillis: 'timeout',
  token: 'write headers: { authorization: "Bearer …" }',
  apiKey: 'headers',
  metadata: 'headers',
}

/** What others call the options of `startTelemetry`. */
const telemetryForeignNames: ForeignNames = {
  ...receiver,
  serviceName: 'application.name',
  service: 'application.name',
  name: 'application.name',
  serviceVersion: 'application.version',
  version: 'application.version',
  attributes: 'resource',
  resourceAttributes: 'resource',
  traces: 'tracing',
  traceExporter: 'tracing',
  spanProcessors: 'tracing',
  metricReader: 'metrics',
  metricReaders: 'metrics',
  logRecordProcessors: 'logs',
  sampler: 'tracing.probability',
  sampling: 'tracing.probability',
  samplingRatio: 'tracing.probability',
  probability: 'tracing.probability',
  step: 'metrics.step',
  interval: 'metrics.step',
  exportInterval: 'metrics.step',
  exportIntervalMillis: 'metrics.step',
  temporality: 'metrics.temporality',
  temporalityPreference: 'metrics.temporality',
  level: 'logs.level',
  instrumentations: 'call instrument(management) of upkeep/instrumentation',
  views: 'write metrics: { filters } in the options of createManagement',
  meters: 'management',
  registry: 'management',
}

const queue: ForeignNames = {
  scheduledDelayMillis: 'delay',
  interval: 'delay',
  maxQueueSize: 'maximumQueueSize',
  queueSize: 'maximumQueueSize',
  maxExportBatchSize: 'maximumBatchSize',
  batchSize: 'maximumBatchSize',
}

/** What others call the options of `tracing`. */
const tracingForeignNames: ForeignNames = {
  ...receiver,
  ...queue,
  sampler: 'probability',
  sampling: 'probability',
  samplingRatio: 'probability',
  ratio: 'probability',
}

/** What others call the options of `metrics`. */
const metricsForeignNames: ForeignNames = {
  ...receiver,
  interval: 'step',
  exportInterval: 'step',
  exportIntervalMillis: 'step',
  temporalityPreference: 'temporality',
  views: 'write metrics: { filters } in the options of createManagement',
}

/** What others call the options of `logs`. */
const logsForeignNames: ForeignNames = { ...receiver, ...queue, severity: 'level' }
