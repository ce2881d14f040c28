import { traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import type { DatabaseCall } from './database-operation.ts'
import { startDatabaseSpan } from './spans/database-span.ts'
import { numberIn } from './spans/status-code.ts'
import { type TimeLibrary, timeChannel } from './time-channel.ts'

/** The message of an operation, since mongoose 9.7. `args`, which has the values, is not read. */
interface Operation {
  readonly operation: string
  readonly collection?: string
  readonly database?: string
  readonly serverAddress?: string
  readonly serverPort?: number
}

const channels = [
  'mongoose:query',
  'mongoose:aggregate',
  'mongoose:model:save',
  'mongoose:model:insertMany',
  'mongoose:model:bulkWrite',
  'mongoose:cursor:next',
]

const statusOf = /* @__PURE__ */ numberIn('code')

/** Times mongoose operations. */
export const timeMongoose: TimeLibrary = (timing, safely) =>
  combineUnsubscribes(channels.map((channel) => timeChannel<Operation>(channel, timing, safely, callOf, statusOf)))

/** Traces mongoose operations, without filters and documents. */
export const traceMongoose: TraceLibrary = (tracing, safely) => {
  const isTracedElsewhere = createOfficialCheck({ file: 'mongoose/lib/model.js', path: ['prototype', 'save'] })
  return combineUnsubscribes(
    channels.map((channel) =>
      traceChannel<Operation>(
        channel,
        tracing,
        safely,
        (message) => (isTracedElsewhere() ? undefined : startDatabaseSpan(tracing, callOf(message))),
        statusOf,
      ),
    ),
  )
}

function callOf({ operation, collection, database, serverAddress, serverPort }: Operation): DatabaseCall {
  return {
    system: 'mongodb',
    operation,
    collection,
    namespace: database,
    address: serverAddress,
    port: serverPort,
  }
}
