export type { CorsOptions } from '../http/conventions/cors.ts'
export { cacheMeters, type MeasurableCache } from '../instrumentation/caches/cache-meters.ts'
export type { CacheStats } from '../instrumentation/caches/cache-stats.ts'
export {
  type AddCacheOptions,
  type Caches,
  type ClearableCache,
  type CustomCache,
  createCaches,
  type RegisteredCache,
} from '../instrumentation/caches/caches.ts'
export type { DatabaseCall, DatabaseOperation } from '../instrumentation/database/database-operation.ts'
export { type TraceablePrisma, tracedPrisma } from '../instrumentation/database/prisma/traced-prisma.ts'
export { type TraceablePostgres, tracedPool } from '../instrumentation/database/traced-pool.ts'
export type {
  Decorators,
  MeteredMethodOptions,
  MethodDecorator,
  TracedMethodOptions,
} from '../instrumentation/decorators.ts'
export { executorMeters, type WorkerPool } from '../instrumentation/executors/executor-meters.ts'
export type { PiscinaPool } from '../instrumentation/executors/piscina.ts'
export type { WorkerpoolPool } from '../instrumentation/executors/workerpool.ts'
export type { ClientRequest } from '../instrumentation/http-client/client-request.ts'
export type { HttpClientOptions, OutgoingRequest } from '../instrumentation/http-client/outgoing-request.ts'
export type { EndedRequest, RequestSubscriber } from '../instrumentation/http-server/ended-request.ts'
export type { RedactPath } from '../instrumentation/http-server/path-redaction.ts'
export { type Instrumented, type InstrumentOptions, instrument } from '../instrumentation/instrument.ts'
export type { BeginInstrument, InstrumentParts } from '../instrumentation/instrument-parts.ts'
export {
  type BullmqSpan,
  type BullmqTelemetry,
  bullmqTelemetry,
} from '../instrumentation/messaging/bullmq/bullmq-telemetry.ts'
export type { JobMeter } from '../instrumentation/messaging/bullmq/job-meter.ts'
export {
  type JobState,
  type MeasurableQueue,
  type QueuedJob,
  type QueueMetersOptions,
  queueMeters,
} from '../instrumentation/messaging/bullmq/queue-meters.ts'
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
export type { BullQueue, BullScheduler, BullWorker } from '../instrumentation/tasks/bullmq-queue.ts'
export type { CronerJob } from '../instrumentation/tasks/croner-job.ts'
export type { NodeCronContext, NodeCronTask } from '../instrumentation/tasks/node-cron-task.ts'
export type { NodeScheduleJob } from '../instrumentation/tasks/node-schedule-job.ts'
export type { SpanWorkOptions } from '../instrumentation/tasks/observed-work.ts'
export {
  type AddTaskOptions,
  createScheduledTasks,
  type ScheduledTasks,
  type ScheduledTasksOptions,
  type SchedulerJob,
} from '../instrumentation/tasks/scheduled-tasks.ts'
export type { ScheduledTaskState, TaskException, TaskExecution } from '../instrumentation/tasks/task-history.ts'
export type { IntervalTrigger, NextRun, ShownTrigger, TaskTrigger } from '../instrumentation/tasks/task-trigger.ts'
export type { EnvOptions } from '../management/env/env-options.ts'
export type { PropertySource } from '../management/env/property-source.ts'
export type { HttpExchangesOptions } from '../management/http-exchanges/http-exchanges-options.ts'
