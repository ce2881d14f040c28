export { type Clock, systemClock } from '../base/clock.ts'
export type { Duration } from '../base/duration.ts'
export type { MaybePromise } from '../base/maybe-promise.ts'
export { type Report, reportToConsole } from '../base/report.ts'
export type { HealthChange, HealthListener } from '../health/changes.ts'
export type {
  CheckedIndicator,
  CompositeIndicator,
  Health,
  HealthCheck,
  Indicator,
  Indicators,
  StateIndicator,
  Tolerance,
} from '../health/indicator.ts'
export { type AmqpChannel, type AmqpConnection, type AmqpOptions, amqp } from '../health/indicators/amqp.ts'
export { composite } from '../health/indicators/composite.ts'
export { type DiskSpaceOptions, diskSpace } from '../health/indicators/disk-space.ts'
export { type DnsOptions, dns } from '../health/indicators/dns.ts'
export { type EventLoopOptions, type EventLoopReading, eventLoop } from '../health/indicators/event-loop.ts'
export { type HttpOptions, http } from '../health/indicators/http.ts'
export { type KafkaAdmin, type KafkaOptions, kafka } from '../health/indicators/kafka.ts'
export { type MemoryOptions, memory } from '../health/indicators/memory.ts'
export { type MongodbClient, type MongodbDatabase, type MongodbOptions, mongodb } from '../health/indicators/mongodb.ts'
export {
  type MysqlCallbackClient,
  type MysqlConnection,
  type MysqlOptions,
  type MysqlPool,
  type MysqlPoolConnection,
  mysql,
} from '../health/indicators/mysql.ts'
export { type NatsConnection, type NatsOptions, nats } from '../health/indicators/nats.ts'
export { ping } from '../health/indicators/ping.ts'
export {
  type PostgresConnection,
  type PostgresOptions,
  type PostgresPool,
  type PostgresPoolConnection,
  type PostgresSql,
  postgres,
} from '../health/indicators/postgres.ts'
export { type RedisClient, type RedisOptions, redis } from '../health/indicators/redis.ts'
export { type TcpOptions, tcp } from '../health/indicators/tcp.ts'
export type { HealthReport } from '../health/report.ts'
export type { Status } from '../health/status.ts'
export type { Audience } from '../health/visibility.ts'
export type { Access, Authorize, Principal } from '../http/authorize.ts'
export { decodeUtf8, type JsonTextOptions, parseJson } from '../http/conventions/json-text.ts'
export { readBody, type WholeBody } from '../http/conventions/request-body.ts'
export { type RequestTypeOptions, requestTypeOf } from '../http/conventions/request-type.ts'
export { authorityOf, originForm } from '../http/conventions/target.ts'
export { errorResponse, notFoundResponse, representationHeaders } from '../http/error-response.ts'
export type { ErrorDocument, ErrorMembers, Fault } from '../http/errors/error-document.ts'
export { HttpError, type HttpErrorOptions, isHttpError } from '../http/errors/http-error.ts'
export type {
  ManagementRequest,
  ManagementResponse,
  MessageBody,
  MessageHeaders,
  ResponseBody,
} from '../http/message.ts'
export { type Offer, offerJson } from '../http/representation.ts'
export type { Call, Resource } from '../http/resource.ts'
export { respondToError } from '../http/respond-to-error.ts'
export type { Route } from '../http/router.ts'
export { type RequestHandler, type ServeRoutesOptions, serveRoutes } from '../http/serve-routes.ts'
export type { StreamedContent } from '../http/streamed-content.ts'
export type { RandomSource } from '../ids/random.ts'
export { type RequestIdOptions, requestId } from '../ids/request-id.ts'
export { createTraceIds, type TraceIds, type TraceIdsOptions } from '../ids/trace-context/trace-ids.ts'
export {
  formatTraceparent,
  parseTraceparent,
  randomFlag,
  sampledFlag,
  type TraceContext,
} from '../ids/trace-context/traceparent.ts'
export { formatTracestate, parseTracestate, type TracestateMember } from '../ids/trace-context/tracestate.ts'
export { compareUuids } from '../ids/uuid/compare-uuids.ts'
export { isUuid } from '../ids/uuid/is-uuid.ts'
export type { OrderedUuidOptions } from '../ids/uuid/monotonic-time.ts'
export {
  type GregorianUuid,
  type OpaqueUuid,
  parseUuid,
  type UnixUuid,
  type Uuid,
  type UuidForms,
  type UuidVariant,
} from '../ids/uuid/parse-uuid.ts'
export { bytesToUuid, uuidToBytes } from '../ids/uuid/uuid-bytes.ts'
export { maxUuid } from '../ids/uuid/uuid-max.ts'
export { uuidNamespaces } from '../ids/uuid/uuid-namespaces.ts'
export { nilUuid } from '../ids/uuid/uuid-nil.ts'
export { createUuidV1, uuidV1 } from '../ids/uuid/uuid-v1.ts'
export { uuidV1FromV6 } from '../ids/uuid/uuid-v1-from-v6.ts'
export { uuidV3 } from '../ids/uuid/uuid-v3.ts'
export { createUuidV4, type UuidV4Options, uuidV4 } from '../ids/uuid/uuid-v4.ts'
export { uuidV5 } from '../ids/uuid/uuid-v5.ts'
export { createUuidV6, uuidV6 } from '../ids/uuid/uuid-v6.ts'
export { uuidV6FromV1 } from '../ids/uuid/uuid-v6-from-v1.ts'
export { createUuidV7, uuidV7 } from '../ids/uuid/uuid-v7.ts'
export { uuidV8 } from '../ids/uuid/uuid-v8.ts'
export type {
  Decorators,
  MeteredMethodOptions,
  MethodDecorator,
  TracedMethodOptions,
} from '../instrumentation/decorators.ts'
export type { ClientRequest } from '../instrumentation/http-client/client-requests.ts'
export { recordError, reportedPath, setRoute, traceIdOf } from '../instrumentation/http-server/observed-request.ts'
export type { Observation, ObservationOptions } from '../instrumentation/observation.ts'
export type { SpanWorkOptions } from '../instrumentation/tasks/observed-work.ts'
export type { Availability, AvailabilityChange, Liveness, Readiness } from '../lifecycle/availability.ts'
export type { Level } from '../logging/levels/level.ts'
export type { LoggerLevel, Loggers } from '../logging/levels/loggers.ts'
export { type CreateLoggerOptions, createLogger, type Log, type Logger, type LogLevel } from '../logging/logger.ts'
export { formatPlainText } from '../logging/plain-text.ts'
export type { LoggingApplication, LogRecord } from '../logging/record.ts'
export { type BasicAuthOptions, basicAuth } from '../management/access/basic-auth.ts'
export { type BearerTokenOptions, bearerToken } from '../management/access/bearer-token.ts'
export type { AccessOptions, EndpointAccess } from '../management/access.ts'
export { createManagement, type Management } from '../management/create-management.ts'
export type { EndpointId } from '../management/endpoints/endpoint.ts'
export type { HealthGroupOptions, HealthOptions, HealthViewOptions } from '../management/endpoints/health.ts'
export type { HttpMapping } from '../management/endpoints/http-status.ts'
export type { InfoContributor, InfoPart } from '../management/info/contributor.ts'
export type { InfoOptions } from '../management/info/info-contributors.ts'
export type { ManagementHealth } from '../management/managed-health.ts'
export type { ManagementOptions, MetricsOptions, TracingOptions } from '../management/options.ts'
export type { Counter } from '../metrics/counter.ts'
export type { Diagnose, MeterDiagnostic } from '../metrics/diagnostic.ts'
export type { DistributionOptions } from '../metrics/distribution/distribution-options.ts'
export type { ExemplarSource } from '../metrics/exemplar.ts'
export {
  accept,
  commonTags,
  deny,
  denyUnless,
  histogram,
  ignoreTags,
  type MeterSelection,
  maximumAllowableTags,
  renameMeter,
  renameTag,
  replaceTagValues,
} from '../metrics/filters.ts'
export type { FunctionCounter } from '../metrics/function-counter.ts'
export type { FunctionTimer, TimedTotal } from '../metrics/function-timer.ts'
export type { Gauge } from '../metrics/gauge.ts'
export type { LongTask, LongTaskTimer } from '../metrics/long-task-timer.ts'
export type { Meter } from '../metrics/meter.ts'
export type { MeterDescription, MeterFilter, Verdict } from '../metrics/meter-filter.ts'
export type {
  MeterOptions,
  MeterRegistry,
  MeterRegistryOptions,
  SummaryOptions,
  TimerOptions,
} from '../metrics/meter-registry.ts'
export type { GaugeRow, MultiGauge } from '../metrics/multi-gauge.ts'
export { createMeterRegistry } from '../metrics/registry.ts'
export type { TaggedMeters } from '../metrics/series/tagged-meters.ts'
export type { Tags, TagValue } from '../metrics/series/tags.ts'
export type { MeterId, MeterSnapshot, SnapshotSource, Tag } from '../metrics/snapshot.ts'
export type { Summary } from '../metrics/summary.ts'
export type { Sample, Timer, UnboundSample } from '../metrics/timer.ts'
export type { ClientRegistry } from '../prometheus/prometheus-client.ts'
export { type PrometheusRegistryOptions, prometheusRegistry } from '../prometheus/prometheus-registry.ts'
export { deletePushedMetrics, type PushGroup, type PushOptions, pushMetrics } from '../prometheus/push-metrics.ts'
export type { RuntimeMetersOptions } from '../runtime/runtime-meters.ts'
export { currentTrace, type TraceCarrier, type TraceHeaders, traceHeaders } from '../tracing/context/carrier.ts'
export type { Attributes, AttributeValue, Span, SpanKind } from '../tracing/span.ts'
export { type TracedOptions, traced, withTrace } from '../tracing/traced.ts'
