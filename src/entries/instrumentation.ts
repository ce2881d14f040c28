export type { ConsoleOptions } from '../console/console-options.ts'
export type { CorsOptions } from '../http/conventions/cors.ts'
export { cacheMeters, type MeasurableCache } from '../instrumentation/caches/cache-meters.ts'
export {
  type AddCacheOptions,
  type CacheStats,
  type Caches,
  type ClearableCache,
  type CustomCache,
  createCaches,
  type RegisteredCache,
} from '../instrumentation/caches/caches.ts'
export type { DatabaseCall, DatabaseOperation } from '../instrumentation/client-operations.ts'
export { type TraceablePostgres, tracedPool } from '../instrumentation/database/traced-postgres.ts'
export { type TraceablePrisma, tracedPrisma } from '../instrumentation/database/traced-prisma.ts'
export type {
  Decorators,
  MeteredMethodOptions,
  MethodDecorator,
  TracedMethodOptions,
} from '../instrumentation/decorators.ts'
export {
  executorMeters,
  type PiscinaPool,
  type WorkerPool,
  type WorkerpoolPool,
} from '../instrumentation/executor-meters.ts'
export type {
  ClientRequest,
  HttpClientOptions,
  OutgoingRequest,
} from '../instrumentation/http-client/outgoing-request.ts'
export type { EndedRequest, RequestSubscriber } from '../instrumentation/http-server/ended-request.ts'
export type { RedactPath } from '../instrumentation/http-server/path-redaction.ts'
export { type Instrumented, type InstrumentOptions, instrument } from '../instrumentation/instrument.ts'
export {
  type BullmqSpan,
  type BullmqTelemetry,
  bullmqTelemetry,
  type JobMeter,
} from '../instrumentation/messaging/bullmq/bullmq-telemetry.ts'
export {
  type JobState,
  type MeasurableQueue,
  type QueuedJob,
  type QueueMetersOptions,
  queueMeters,
} from '../instrumentation/messaging/bullmq/queue-meters.ts'
export { type TraceableChannel, tracedChannel } from '../instrumentation/messaging/traced-channel.ts'
export {
  type TraceableConsumer,
  type TraceableProducer,
  tracedConsumer,
  tracedProducer,
} from '../instrumentation/messaging/traced-kafka.ts'
export { type NatsHeaders, type TraceableNats, tracedNats } from '../instrumentation/messaging/traced-nats.ts'
export type {
  BeginInstrument,
  InstrumentParts,
  Observation,
  ObservationOptions,
  SpanWorkOptions,
} from '../instrumentation/observation.ts'
export type { GenericPool } from '../instrumentation/pools/generic-pool.ts'
export type { Mysql2CallbackPool, Mysql2Pool } from '../instrumentation/pools/mysql-pool.ts'
export type { PgPool } from '../instrumentation/pools/pg-pool.ts'
export { type ConnectionPool, poolMeters } from '../instrumentation/pools/pool-meters.ts'
export type { KnexClient, TarnPool } from '../instrumentation/pools/tarn-pool.ts'
export type { UndiciPool } from '../instrumentation/pools/undici-pool.ts'
export type { BullQueue, BullScheduler, BullWorker } from '../instrumentation/tasks/bullmq-queue.ts'
export {
  type AddTaskOptions,
  createScheduledTasks,
  type ScheduledTasks,
  type ScheduledTasksOptions,
  type SchedulerJob,
} from '../instrumentation/tasks/scheduled-tasks.ts'
export type {
  CronerJob,
  NodeCronContext,
  NodeCronTask,
  NodeScheduleJob,
} from '../instrumentation/tasks/scheduler-jobs.ts'
export type { ScheduledTaskState, TaskException, TaskExecution } from '../instrumentation/tasks/task-history.ts'
export type { IntervalTrigger, NextRun, ShownTrigger, TaskTrigger } from '../instrumentation/tasks/task-trigger.ts'
export type { EnvOptions } from '../management/env/env-options.ts'
export type { PropertySource } from '../management/env/property-source.ts'
export type { HttpExchangesOptions } from '../management/http-exchanges/http-exchanges-options.ts'
