export type { DatabaseCall, DatabaseOperation } from '../instrumentation/database/database-operation.ts'
export { type TraceablePostgres, tracedPool } from '../instrumentation/database/traced-pool.ts'
export type {
  Decorators,
  MeteredMethodOptions,
  MethodDecorator,
  TracedMethodOptions,
} from '../instrumentation/decorators.ts'
export type { ClientRequest } from '../instrumentation/http-client/client-request.ts'
export type { HttpClientOptions, OutgoingRequest } from '../instrumentation/http-client/outgoing-request.ts'
export type { EndedRequest, RequestSubscriber } from '../instrumentation/http-server/ended-request.ts'
export type { RedactPath } from '../instrumentation/http-server/path-redaction.ts'
export { type Instrumented, type InstrumentOptions, instrument } from '../instrumentation/instrument.ts'
export type { BeginInstrument, InstrumentParts } from '../instrumentation/instrument-parts.ts'
export { type TraceableChannel, tracedChannel } from '../instrumentation/messaging/traced-channel.ts'
export { type TraceableConsumer, tracedConsumer } from '../instrumentation/messaging/traced-consumer.ts'
export { type NatsHeaders, type TraceableNats, tracedNats } from '../instrumentation/messaging/traced-nats.ts'
export { type TraceableProducer, tracedProducer } from '../instrumentation/messaging/traced-producer.ts'
export type { Observation, ObservationOptions } from '../instrumentation/observation.ts'
export type { GenericPool } from '../instrumentation/pools/generic-pool.ts'
export type { Mysql2CallbackPool, Mysql2Pool } from '../instrumentation/pools/mysql-pool.ts'
export type { PgPool } from '../instrumentation/pools/pg-pool.ts'
export { type ConnectionPool, poolMeters } from '../instrumentation/pools/pool-meters.ts'
export type { KnexClient, TarnPool } from '../instrumentation/pools/tarn-pool.ts'
export type { UndiciPool } from '../instrumentation/pools/undici-pool.ts'
export type { SpanWorkOptions } from '../instrumentation/tasks/observed-work.ts'
