export type { Duration } from '../base/duration.ts'
export type { MaybePromise } from '../base/maybe-promise.ts'
export type { HealthCheckOptions } from '../health/aggregator.ts'
export type { ConnectionTarget, DiscoveredComponent, DiscoveredKind } from '../health/discovery/client-kind.ts'
export { type ClientDiscovery, type DiscoverClientsOptions, discoverClients } from '../health/discovery/discovery.ts'
export type { FoundClients, FoundTarget } from '../health/discovery/found-clients.ts'
export type { HealthGroupMembers } from '../health/group.ts'
export {
  type CheckedIndicator,
  type CompositeIndicator,
  composite,
  type Health,
  type HealthCheck,
  type Indicator,
  type Indicators,
  type StateIndicator,
  type Tolerance,
} from '../health/indicator.ts'
export { type AmqpChannel, type AmqpConnection, type AmqpOptions, amqp } from '../health/indicators/amqp.ts'
export { type ContainerMemoryOptions, containerMemory } from '../health/indicators/container-memory.ts'
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
export { type SqlOptions, sql } from '../health/indicators/sql.ts'
export type { CertificateStatus, ShownCertificate } from '../health/indicators/ssl/certificate.ts'
export {
  type CertifiedServer,
  type PemCertificates,
  type ShownBundle,
  type ShownChain,
  type SslBundles,
  type SslBundlesOptions,
  sslBundles,
} from '../health/indicators/ssl/ssl-bundles.ts'
export { type TcpOptions, tcp } from '../health/indicators/tcp.ts'
export type { HealthScopeOptions } from '../health/scope.ts'
export type { Status } from '../health/status.ts'
