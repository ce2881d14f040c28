import { basicAuth, bearerToken, createManagement } from 'upkeep'
import { joinCluster, listClusters, readCluster, reloadOnSignal, reloadWorkers, stopWorkers } from 'upkeep/cluster'
import { adapterConformance, contract } from 'upkeep/contract'
import * as fetchAdapter from 'upkeep/fetch'
import * as health from 'upkeep/health'
import * as hono from 'upkeep/hono'
import { createTraceIds, createUuidV1, createUuidV4, createUuidV6, createUuidV7 } from 'upkeep/ids'
import { createCaches, createScheduledTasks, instrument, queueMeters } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { createMeterRegistry, histogram } from 'upkeep/metrics'
import { authorizeByGuard, Counted, ErrorDocumentFilter, Indicator, Timed, Traced, UpkeepModule } from 'upkeep/nest'
import * as node from 'upkeep/node'
import { registerMeterProvider, registerTracerProvider } from 'upkeep/opentelemetry'
import { createMetricProducer, startTelemetry } from 'upkeep/otlp'
import { pinoOptions } from 'upkeep/pino'
import { deletePushedMetrics, expressPromBundle, prometheusRegistry, pushMetrics } from 'upkeep/prometheus'
import {
  checkBaseUrl,
  checkCompatibility,
  checkPath,
  collection,
  controller,
  createResources,
  document,
  representation,
  serveRoutes,
  store,
} from 'upkeep/rest'
import { createAdminCredential, registerAtSpringBootAdmin } from 'upkeep/spring-boot-admin'
import { logRecord } from 'upkeep/winston'

/** An object of options that a public function accepts. */
export interface OptionsObject {
  /** The function, as its errors begin. */
  readonly where: string
  /** The path of the object in the options of the function. */
  readonly path?: string
  /** The public interface of the object, or the names of its options if it has none. */
  readonly type: string | readonly string[]
  /** Calls the function with an object. */
  readonly pass: (options: object) => unknown
  /** Names that others have, and what the error says about them. */
  readonly foreign?: Readonly<Record<string, string>>
}

/** A function as a caller without types sees it. */
type Loose = (...args: readonly unknown[]) => unknown

/** Calls a function with options as its last argument. */
function last(called: unknown, ...args: readonly unknown[]): OptionsObject['pass'] {
  return (options) => (called as Loose)(...args, options)
}

const management = createManagement()
const meters = createMeterRegistry()
const application = { name: 'orders' }

const listen = 'to listen on a port of its own, call listen(management, { port }) of upkeep/node'
const telemetry = 'call startTelemetry({ management, url }) of upkeep/otlp'
const eachCheck = 'set it for each check: health: { indicators: { db: { check, timeout: "5s" } } }'
const means = (option: string) => `did you mean "${option}"?`

function ofMeters(
  method: 'counter' | 'counters' | 'gauge' | 'multiGauge' | 'timer' | 'longTaskTimer' | 'summary',
  ...args: readonly unknown[]
) {
  return (options: object) => Reflect.apply(meters[method], meters, [...args, options])
}

function ofManagement(path: string, type: OptionsObject['type'], foreign = {}): OptionsObject {
  const wrap = (options: object) => path.split('.').reduceRight<object>((inner, name) => ({ [name]: inner }), options)
  return { where: 'createManagement', path, type, pass: (options) => createManagement(wrap(options)), foreign }
}

function ofTelemetry(path: string, type: OptionsObject['type'], foreign = {}): OptionsObject {
  const pass = (options: object) => startTelemetry({ management, [path]: options })
  return { where: 'startTelemetry', path, type, pass, foreign }
}

const indicators: Readonly<Record<string, unknown>> = { ...health }

function ofIndicator(name: string, type: string, args: readonly unknown[], foreign = {}): OptionsObject {
  const besideCheck = `write it beside the check: { check: ${name}(…), timeout: "5s" }`
  return { where: name, type, pass: last(indicators[name], ...args), foreign: { timeout: besideCheck, ...foreign } }
}

const [, ids = ''] =
  /expected one of (.*), received/.exec(String(errorOf(() => last(createManagement)({ expose: [''] })))) ?? []

function errorOf(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

/** Every object of options whose unknown options are errors. */
export const optionsObjects: readonly OptionsObject[] = [
  {
    where: 'createManagement',
    type: 'ManagementOptions',
    pass: last(createManagement),
    foreign: {
      path: means('basePath'),
      prefix: means('basePath'),
      port: listen,
      endpoint: telemetry,
      serviceName: means('application.name'),
      timeout: 'call shutdownGracefully(server, management, { delay, timeout, hooks }) of upkeep/node',
      healthChecks: means('health.indicators'),
      metricsPath: 'write paths: { prometheus: "/metrics" }',
    },
  },
  {
    where: 'createManagement',
    path: 'application',
    type: ['name', 'version'],
    pass: (options) => createManagement({ application: { ...application, ...options } }),
  },
  ofManagement('access', [...ids.split(', '), '*']),
  ofManagement('health', 'HealthOptions', {
    timeout: eachCheck,
    checks: means('health.indicators'),
    path: 'write paths: { health: "/health" } beside "health"',
  }),
  ofManagement('health.groups.readiness', 'HealthGroupOptions', {
    indicators: means('health.groups.readiness.include'),
  }),
  ofManagement('info', 'InfoOptions'),
  ofManagement('env', 'EnvOptions', { sanitize: means('env.mask') }),
  ofManagement('httpExchanges', 'HttpExchangesOptions', { headers: means('httpExchanges.requestHeaders') }),
  ofManagement('console', 'ConsoleOptions', { memory: means('console.maximumBytes') }),
  ofManagement('metrics', 'MetricsOptions', {
    defaultLabels: means('metrics.commonTags'),
    prefix: 'to rename meters, use filters: [{ map }]',
    buckets: 'write filters: [histogram("http.server.requests", { slo: buckets })]',
  }),
  ofManagement('metrics.window', ['rotations', 'rotation']),
  ofManagement('metrics.expireAfter', ['counter', 'timer', 'summary', 'longTaskTimer']),
  ofManagement('metrics.runtime', 'RuntimeMetersOptions'),
  ofManagement('observation', 'ObservationOptions'),
  ofManagement('tracing', 'TracingOptions', { sampler: means('tracing.probability'), endpoint: telemetry }),
  ofManagement('tracing.baggage', ['logFields', 'spanAttributes']),
  ofManagement('profile', 'ProfileOptions'),
  ofManagement('heapdump', 'HeapDumpOptions'),
  {
    ...ofManagement('cors', 'CorsOptions', { origin: means('cors.allowedOrigins') }),
    pass: (options) => last(createManagement)({ cors: { allowedOrigins: ['https://ops.example'], ...options } }),
  },
  ofManagement('recorder', 'RecorderOptions'),
  ofManagement('recorder.errorBurst', 'ErrorBurstOptions'),
  {
    where: 'createManagement',
    path: 'health.indicators.db',
    type: ['check', 'timeout', 'cache', 'refresh', 'staleAfter', 'tolerate'],
    pass: (options) => last(createManagement)({ health: { indicators: { db: { check: health.ping(), ...options } } } }),
    foreign: { interval: means('health.indicators.db.refresh') },
  },
  {
    where: 'createManagement',
    path: 'health.indicators.db.tolerate',
    type: ['failures', 'for'],
    pass: (options) =>
      last(createManagement)({ health: { indicators: { db: { check: health.ping(), tolerate: options } } } }),
  },
  { where: 'basicAuth', type: 'BasicAuthOptions', pass: last(basicAuth, []) },
  { where: 'bearerToken', type: 'BearerTokenOptions', pass: last(bearerToken, 'secret') },
  {
    where: 'startTelemetry',
    type: 'TelemetryOptions',
    pass: (options) => startTelemetry({ management, ...options }),
    foreign: {
      endpoint: means('url'),
      serviceName: means('application.name'),
      path: means('url'),
      port: means('url'),
      sampler: means('tracing.probability'),
      exportIntervalMillis: means('metrics.step'),
    },
  },
  {
    where: 'startTelemetry',
    path: 'application',
    type: ['name', 'version'],
    pass: (options) => startTelemetry({ management, application: { ...application, ...options } }),
  },
  ofTelemetry('tracing', 'TracingExportOptions', {
    endpoint: means('tracing.url'),
    sampler: means('tracing.probability'),
  }),
  ofTelemetry('metrics', 'MetricsExportOptions', { interval: means('metrics.step') }),
  ofTelemetry('logs', 'LogsExportOptions', { maxQueueSize: means('logs.maximumQueueSize') }),
  ofTelemetry('keepFailedRequests', 'FailedRequestsOptions'),
  { where: 'createMetricProducer', type: 'MetricProducerOptions', pass: last(createMetricProducer, meters) },
  {
    where: 'joinCluster',
    type: 'ClusterOptions',
    pass: last(joinCluster, management),
    foreign: { name: means('group'), ready: means('health.ready') },
  },
  {
    where: 'joinCluster',
    path: 'health',
    type: 'ClusterHealthOptions',
    pass: (options) => last(joinCluster, management)({ health: options }),
  },
  { where: 'readCluster', type: 'ReadClusterOptions', pass: last(readCluster), foreign: { path: means('directory') } },
  { where: 'listClusters', type: 'ReadClusterOptions', pass: last(listClusters) },
  {
    where: 'reloadWorkers',
    type: 'ReloadOptions',
    pass: last(reloadWorkers),
    foreign: { timeout: means('stopTimeout') },
  },
  { where: 'reloadOnSignal', type: 'ReloadOptions', pass: last(reloadOnSignal, 'SIGHUP') },
  { where: 'stopWorkers', type: 'StopOptions', pass: last(stopWorkers), foreign: { timeout: means('stopTimeout') } },
  {
    where: 'listen',
    type: 'ListenOptions',
    pass: last(node.listen, management),
    foreign: { hostname: means('host'), path: 'write basePath in the options of createManagement' },
  },
  {
    where: 'watchdog',
    type: 'WatchdogOptions',
    pass: last(node.watchdog, management),
    foreign: { timeout: means('stall'), prefix: means('basePath') },
  },
  {
    where: 'shutdownGracefully',
    type: 'ShutdownOptions',
    pass: last(node.shutdownGracefully, [], management),
    foreign: { onSignal: means('hooks'), gracefulShutdownTimeout: means('timeout'), shutdownDelay: means('delay') },
  },
  { where: 'observe', type: 'ObserveOptions', pass: last(node.observe, management), foreign: { path: means('route') } },
  { where: 'observe', type: 'ObserveOptions', pass: last(fetchAdapter.observe, management) },
  { where: 'observe', type: 'RoutesOptions', pass: last(hono.observe, management) },
  { where: 'manage', type: 'RoutesOptions', pass: last(hono.manage, management), foreign: { router: means('app') } },
  {
    where: 'authorizeByGuard',
    type: 'GuardOptions',
    pass: last(authorizeByGuard, {}),
    foreign: { user: means('principal') },
  },
  {
    where: 'ErrorDocumentFilter',
    type: 'ErrorDocumentFilterOptions',
    pass: (options) => new ErrorDocumentFilter(options),
    foreign: { logger: means('report') },
  },
  {
    where: 'UpkeepModule.forRootAsync',
    type: 'UpkeepModuleAsyncOptions',
    pass: last(UpkeepModule.forRootAsync),
    foreign: { isGlobal: 'the module is always global' },
  },
  { where: '@Timed', type: 'MeteredMethodOptions', pass: last(Timed), foreign: { help: means('description') } },
  { where: '@Counted', type: 'MeteredMethodOptions', pass: last(Counted) },
  { where: '@Traced', type: 'TracedMethodOptions', pass: last(Traced) },
  {
    where: '@Indicator',
    type: ['timeout', 'cache', 'refresh', 'staleAfter', 'tolerate'],
    pass: last(Indicator, 'db'),
    foreign: { interval: means('refresh') },
  },
  { where: 'discoverClients', type: 'DiscoverClientsOptions', pass: last(health.discoverClients) },
  ofIndicator('amqp', 'AmqpOptions', [() => undefined]),
  ofIndicator('containerMemory', 'ContainerMemoryOptions', []),
  ofIndicator('diskSpace', 'DiskSpaceOptions', [], { directory: means('path') }),
  ofIndicator('dns', 'DnsOptions', ['localhost']),
  ofIndicator('eventLoop', 'EventLoopOptions', []),
  ofIndicator('http', 'HttpOptions', ['http://127.0.0.1'], { statusCode: means('expectedStatus') }),
  ofIndicator('kafka', 'KafkaOptions', [{}]),
  ofIndicator('memory', 'MemoryOptions', []),
  ofIndicator('mongodb', 'MongodbOptions', [{}]),
  ofIndicator('mysql', 'MysqlOptions', [{}], { query: means('validationQuery') }),
  ofIndicator('nats', 'NatsOptions', [{}]),
  ofIndicator('postgres', 'PostgresOptions', [{}]),
  ofIndicator('redis', 'RedisOptions', [{}]),
  ofIndicator('sql', 'SqlOptions', []),
  ofIndicator('tcp', 'TcpOptions', [], { hostname: means('host') }),
  { where: 'sslBundles', type: 'SslBundlesOptions', pass: last(health.sslBundles, {}) },
  {
    where: 'instrument',
    type: 'InstrumentOptions',
    pass: last(instrument, management),
    foreign: { fetch: means('undici'), pg: 'call tracedPool(pool) of upkeep/instrumentation' },
  },
  {
    where: 'instrument',
    path: 'http',
    type: 'HttpClientOptions',
    pass: (options) => last(instrument, management)({ http: options }),
    foreign: { url: means('http.uri') },
  },
  { where: 'timed', type: 'MeteredMethodOptions', pass: last(management.observation.timed) },
  { where: 'counted', type: 'MeteredMethodOptions', pass: last(management.observation.counted) },
  { where: 'traced', type: 'TracedMethodOptions', pass: last(management.observation.traced) },
  { where: 'createScheduledTasks', type: 'ScheduledTasksOptions', pass: last(createScheduledTasks) },
  { where: 'scheduledTasks.add', type: 'AddTaskOptions', pass: last(createScheduledTasks().add, {}) },
  { where: 'caches.add', type: 'AddCacheOptions', pass: last(createCaches().add, 'orders', new Map()) },
  { where: 'queueMeters', type: 'QueueMetersOptions', pass: last(queueMeters, meters, {}) },
  { where: 'createTraceIds', type: 'TraceIdsOptions', pass: last(createTraceIds) },
  { where: 'createUuidV1', type: 'OrderedUuidOptions', pass: last(createUuidV1) },
  { where: 'createUuidV4', type: 'UuidV4Options', pass: last(createUuidV4), foreign: { rng: means('random') } },
  { where: 'createUuidV6', type: 'OrderedUuidOptions', pass: last(createUuidV6) },
  { where: 'createUuidV7', type: 'OrderedUuidOptions', pass: last(createUuidV7) },
  {
    where: 'createLogger',
    type: 'CreateLoggerOptions',
    pass: (options) => last(createLogger)({ application, ...options }),
    foreign: { serviceName: means('application.name'), transport: means('write') },
  },
  {
    where: 'pinoOptions',
    type: 'PinoRecordOptions',
    pass: (options) => last(pinoOptions)({ application, ...options }),
    foreign: { level: 'write pinoOptions({ application }, { level })' },
  },
  {
    where: 'logRecord',
    type: 'WinstonRecordOptions',
    pass: (options) => last(logRecord)({ application, ...options }),
    foreign: { serviceName: means('application.name') },
  },
  {
    where: 'createMeterRegistry',
    type: 'MeterRegistryOptions',
    pass: last(createMeterRegistry),
    foreign: { commonTags: 'write filters: [commonTags(tags)]' },
  },
  {
    where: "meter 'a'",
    type: 'MeterOptions',
    pass: ofMeters('counter', 'a', {}),
    foreign: { help: means('description') },
  },
  {
    where: "meter 'a'",
    type: 'MeterOptions',
    pass: ofMeters('counters', 'a', ['k']),
    foreign: { unit: means('baseUnit') },
  },
  { where: "meter 'a'", type: 'MeterOptions', pass: ofMeters('gauge', 'a', {}, () => 1) },
  { where: "meter 'a'", type: 'ObjectReadingOptions', pass: ofMeters('gauge', 'a', {}, {}, () => 1) },
  { where: "meter 'a'", type: 'MeterOptions', pass: ofMeters('multiGauge', 'a') },
  { where: "meter 'a'", type: 'TimerOptions', pass: ofMeters('timer', 'a', {}), foreign: { buckets: means('slo') } },
  { where: "meter 'a'", type: 'TimerOptions', pass: ofMeters('longTaskTimer', 'a', {}) },
  {
    where: "meter 'a'",
    path: 'exponential',
    type: 'ExponentialHistogramOptions',
    pass: (options) => meters.timer('a', {}, { exponential: options }),
  },
  {
    where: "meter 'a'",
    type: 'SummaryOptions',
    pass: ofMeters('summary', 'a', {}),
    foreign: { labels: 'the argument before the options has the tags' },
  },
  { where: 'histogram', type: 'DistributionOptions', pass: last(histogram, 'a'), foreign: { buckets: means('slo') } },
  { where: 'registerMeterProvider', type: 'RegisterProviderOptions', pass: last(registerMeterProvider, management) },
  { where: 'registerTracerProvider', type: 'RegisterProviderOptions', pass: last(registerTracerProvider, management) },
  {
    where: 'expressPromBundle',
    type: 'ExpressPromBundleOptions',
    pass: last(expressPromBundle),
    foreign: { metricsPath: 'write paths: { prometheus: "/metrics" } in the options of createManagement' },
  },
  { where: 'prometheusRegistry', type: 'PrometheusRegistryOptions', pass: last(prometheusRegistry, {}) },
  { where: 'pushMetrics', type: 'PushOptions', pass: last(pushMetrics, meters), foreign: { jobName: means('job') } },
  {
    where: 'deletePushedMetrics',
    type: ['url', 'job', 'grouping', 'headers', 'timeout'],
    pass: last(deletePushedMetrics),
    foreign: { endpoint: means('url') },
  },
  {
    where: 'collection("orders/{id}")',
    type: 'CollectionOptions',
    pass: last(collection, 'orders/{id}'),
    foreign: { post: means('create') },
  },
  {
    where: 'store("orders/{id}")',
    type: 'StoreOptions',
    pass: last(store, 'orders/{id}'),
    foreign: { delete: means('remove') },
  },
  {
    where: 'document("settings")',
    type: 'DocumentOptions',
    pass: last(document, 'settings'),
    foreign: { put: means('replace') },
  },
  {
    where: 'controller("orders/{id}/cancel")',
    type: 'ControllerOptions',
    pass: last(controller, 'orders/{id}/cancel'),
  },
  {
    where: 'collection("orders/{id}")',
    path: 'page',
    type: ['size', 'maximumSize', 'maximumStartIndex'],
    pass: (options) => last(collection, 'orders/{id}')({ page: options }),
    foreign: { limit: means('page.size') },
  },
  {
    where: 'createResources',
    type: 'ResourcesOptions',
    pass: last(createResources),
    foreign: { prefix: means('basePath') },
  },
  {
    where: 'createResources',
    path: 'description',
    type: ['title', 'version', 'description', 'servers', 'management'],
    pass: (options) => last(createResources)({ resources: [], description: options }),
  },
  {
    where: 'serveRoutes',
    type: 'ServeRoutesOptions',
    pass: last(serveRoutes, []),
    foreign: { path: means('basePath') },
  },
  { where: 'representation', type: 'RepresentationOptions', pass: last(representation, 'order', {}) },
  { where: 'checkBaseUrl', type: 'CheckBaseUrlOptions', pass: last(checkBaseUrl, 'https://api.example.com') },
  { where: 'checkPath', type: 'CheckPathOptions', pass: last(checkPath, 'orders') },
  { where: 'checkCompatibility', type: 'CompatibilityOptions', pass: last(checkCompatibility, {}, {}) },
  {
    where: 'contract',
    type: 'ContractOptions',
    pass: last(contract),
    foreign: { url: means('baseUrl'), prefix: means('basePath') },
  },
  {
    where: 'adapterConformance',
    type: 'AdapterConformanceOptions',
    pass: last(adapterConformance),
    foreign: { path: means('prefix') },
  },
  { where: 'createAdminCredential', type: 'AdminCredentialOptions', pass: last(createAdminCredential) },
  {
    where: 'registerAtSpringBootAdmin',
    type: 'RegistrationOptions',
    pass: (options) =>
      last(registerAtSpringBootAdmin, management)({ url: 'http://admin', managementUrl: 'http://app', ...options }),
    foreign: { endpoint: means('url'), password: means('credential') },
  },
]

/** The other public interfaces of options, and why unknown options of theirs are no errors by themselves. */
export const uncheckedOptions: Readonly<Record<string, string>> = {
  AccessOptions: 'tested above, by the ids of the endpoints',
  AutoOptions: 'read from a file and reported by upkeep/auto',
  ConformanceManagementOptions: 'passed to the application by the adapter kit',
  DescriptionOptions: 'tested above, by its names',
  GroupOptions: 'part of ClusterOptions',
  HandleErrorsOptions: 'a management can be passed as these options',
  HealthCheckOptions: 'part of HealthOptions',
  HealthScopeOptions: 'part of HealthOptions',
  HealthViewOptions: 'part of HealthOptions',
  HttpErrorOptions: 'passed for each error',
  IndicatorOptions: 'tested above, by its names',
  JsonTextOptions: 'passed for each request',
  ListingOptions: 'part of CollectionOptions',
  MemberOptions: 'part of CollectionOptions',
  MergeOptions: 'part of ClusterOptions',
  NestHealthOptions: 'checked by createManagement',
  NestShutdownOptions: 'checked when the application starts',
  PinoUserOptions: 'passed on to pino',
  ReceiverOptions: 'part of TelemetryOptions',
  RegisterOptions: 'checked by createManagement, startTelemetry and shutdownGracefully',
  ReplyOptions: 'passed for each request',
  RequestIdOptions: 'passed for each request',
  RequestTypeOptions: 'passed for each request',
  ResponseOptions: 'part of CollectionOptions',
  SpanWorkOptions: 'passed for each call',
  TracedOptions: 'passed for each call',
  UpkeepModuleOptions: 'checked by createManagement',
}
