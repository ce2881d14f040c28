import type { Queue, QueueOptions, WorkerOptions } from 'bullmq'
import type { Queue as Queue5, QueueOptions as QueueOptions5, WorkerOptions as WorkerOptions5 } from 'bullmq-5'
import type { Db, MongoClient } from 'mongodb'
import type { kafka, mongodb } from 'upkeep/health'
import type { BullmqTelemetry, queueMeters } from 'upkeep/instrumentation'
import { expectTypeOf } from 'vitest'

expectTypeOf<MongoClient | Db>().toExtend<Parameters<typeof mongodb>[0]>()
expectTypeOf<MongoClient>().not.toExtend<Parameters<typeof kafka>[0]>()
expectTypeOf<Queue | Queue5>().toExtend<Parameters<typeof queueMeters>[1]>()
expectTypeOf<BullmqTelemetry>().toExtend<NonNullable<QueueOptions['telemetry'] & WorkerOptions['telemetry']>>()
expectTypeOf<BullmqTelemetry>().toExtend<NonNullable<QueueOptions5['telemetry'] & WorkerOptions5['telemetry']>>()
