export { type BasicAuthOptions, basicAuth } from './access/basic-auth.ts'
export { type BearerTokenOptions, bearerToken } from './access/bearer-token.ts'
export { type Clock, systemClock } from './clock.ts'
export type { Duration } from './duration.ts'
export type { HealthGroupOptions, HealthOptions, HealthViewOptions } from './endpoints/health.ts'
export type { HttpMapping } from './endpoints/http-status.ts'
export type { ErrorDocument } from './errors/error-document.ts'
export { HttpError, type HttpErrorOptions, isHttpError } from './errors/http-error.ts'
export type {
  CheckedIndicator,
  CompositeIndicator,
  Health,
  HealthCheck,
  Indicator,
  Indicators,
  StateIndicator,
} from './health/indicator.ts'
export type { Status } from './health/status.ts'
export type { Audience } from './health/visibility.ts'
export { answerError, discardedFields } from './http/answer-error.ts'
export type { Authorize, Principal } from './http/authorize.ts'
export type {
  ManagementRequest,
  ManagementResponse,
  MessageBody,
  MessageHeaders,
  ResponseBody,
} from './http/message.ts'
export { formatTraceparent, parseTraceparent, type TraceContext } from './ids/traceparent.ts'
export { type AmqpChannel, type AmqpConnection, type AmqpOptions, amqp } from './indicators/amqp.ts'
export { composite } from './indicators/composite.ts'
export { type DiskSpaceOptions, diskSpace } from './indicators/disk-space.ts'
export { type DnsOptions, dns } from './indicators/dns.ts'
export { type EventLoopOptions, type EventLoopReading, eventLoop } from './indicators/event-loop.ts'
export { type HttpOptions, http } from './indicators/http.ts'
export { type KafkaAdmin, type KafkaOptions, kafka } from './indicators/kafka.ts'
export { type MemoryOptions, memory } from './indicators/memory.ts'
export { type MongodbClient, type MongodbDatabase, type MongodbOptions, mongodb } from './indicators/mongodb.ts'
export {
  type MysqlCallbackClient,
  type MysqlConnection,
  type MysqlOptions,
  type MysqlPool,
  type MysqlPoolConnection,
  mysql,
} from './indicators/mysql.ts'
export { type NatsConnection, type NatsOptions, nats } from './indicators/nats.ts'
export { ping } from './indicators/ping.ts'
export {
  type PostgresConnection,
  type PostgresOptions,
  type PostgresPool,
  type PostgresPoolConnection,
  type PostgresSql,
  postgres,
} from './indicators/postgres.ts'
export { type RedisClient, type RedisOptions, redis } from './indicators/redis.ts'
export { type TcpOptions, tcp } from './indicators/tcp.ts'
export type { InfoContributor, InfoPart } from './info/contributor.ts'
export type { Availability } from './lifecycle/availability.ts'
export { createManagement, type Management } from './management/create-management.ts'
export type { EndpointId, ManagementOptions } from './management/options.ts'
export { type Report, reportToConsole } from './report.ts'
export type { InfoOptions } from './runtime/info-contributors.ts'
