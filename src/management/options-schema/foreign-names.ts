import type { ForeignNames } from '../../base/unknown-option.ts'

const listen = 'to listen on a port of its own, call listen(management, { port }) of upkeep/node'
const shutDown = 'call shutdownGracefully(server, management, { delay, timeout, hooks }) of upkeep/node'
const telemetry = 'call startTelemetry({ management, url }) of upkeep/otlp'
const instrument = 'call instrument(management) of upkeep/instrumentation'
const onEachCheck = (option: string, example: string) =>
  `set it for each check: health: { indicators: { db: { check, ${option}: "${example}" } } }`

/** What others call the options of `createManagement`, or functions beside it. */
export const managementForeignNames: ForeignNames = {
  path: 'basePath',
  prefix: 'basePath',
  contextPath: 'basePath',
  port: listen,
  host: listen,
  metricsPath: 'write paths: { prometheus: "/metrics" }',
  include: 'expose',
  exposure: 'expose',
  indicators: 'health.indicators',
  healthChecks: 'health.indicators',
  groups: 'health.groups',
  showDetails: 'health.showDetails',
  auth: 'authorize',
  token: 'write authorize: bearerToken(token)',
  name: 'application.name',
  serviceName: 'application.name',
  version: 'application.version',
  labels: 'metrics.commonTags',
  defaultLabels: 'metrics.commonTags',
  commonTags: 'metrics.commonTags',
  register: 'write metrics: { sources: [prometheusRegistry(register)] }',
  collectDefaultMetrics: 'metrics.runtime',
  timeout: shutDown,
  signals: shutDown,
  onSignal: shutDown,
  onShutdown: shutDown,
  beforeShutdown: shutDown,
  endpoint: telemetry,
  url: telemetry,
  traceExporter: telemetry,
  metricReader: telemetry,
  sampler: 'tracing.probability',
  instrumentations: instrument,
  origin: 'cors.allowedOrigins',
}

/** What others call the options of `health`. */
export const healthForeignNames: ForeignNames = {
  timeout: onEachCheck('timeout', '5s'),
  interval: onEachCheck('refresh', '10s'),
  checks: 'indicators',
  healthChecks: 'indicators',
  liveness: 'groups.liveness',
  readiness: 'groups.readiness',
  path: 'write paths: { health: "/health" } beside "health"',
  statusOrder: 'order',
  statusMapping: 'httpMapping',
}

/** What others call the options of a group of `health`. */
export const groupForeignNames: ForeignNames = {
  indicators: 'include',
  additionalPath: 'write paths: { "health/readiness": "/readyz" } beside "health"',
  statusOrder: 'order',
  statusMapping: 'httpMapping',
}

/** What others call the options of `metrics`. */
export const metricsForeignNames: ForeignNames = {
  labels: 'commonTags',
  defaultLabels: 'commonTags',
  register: 'write sources: [prometheusRegistry(register)]',
  collectDefaultMetrics: 'runtime',
  prefix: 'to rename meters, use filters: [{ map }]',
  path: 'write paths: { prometheus: "/metrics" } beside "metrics"',
  step: 'call startTelemetry({ management, metrics: { step } }) of upkeep/otlp',
  buckets: 'write filters: [histogram("http.server.requests", { slo: buckets })]',
  percentiles: 'write filters: [histogram("http.server.requests", { percentiles })]',
  cardinalityLimit: 'maximumSeriesPerMeter',
}

/** What others call the options of `tracing`. */
export const tracingForeignNames: ForeignNames = {
  sampler: 'probability',
  samplingRatio: 'probability',
  sampleRate: 'probability',
  endpoint: telemetry,
  url: telemetry,
  traceExporter: telemetry,
}
