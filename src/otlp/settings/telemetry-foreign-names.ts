import type { ForeignNames } from '../../base/unknown-option.ts'

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
export const telemetryForeignNames: ForeignNames = {
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
export const tracingForeignNames: ForeignNames = {
  ...receiver,
  ...queue,
  sampler: 'probability',
  sampling: 'probability',
  samplingRatio: 'probability',
  ratio: 'probability',
}

/** What others call the options of `metrics`. */
export const metricsForeignNames: ForeignNames = {
  ...receiver,
  interval: 'step',
  exportInterval: 'step',
  exportIntervalMillis: 'step',
  temporalityPreference: 'temporality',
  views: 'write metrics: { filters } in the options of createManagement',
}

/** What others call the options of `logs`. */
export const logsForeignNames: ForeignNames = { ...receiver, ...queue, severity: 'level' }
