import type { DatabaseCall } from '../client-operations.ts'
import { type DatabaseLibrary, numberIn } from './database-library.ts'
import { startDatabaseSpan } from './database-span.ts'

/** The message of an operation, since mongoose 9.7. `args`, which has the values, is not read. */
interface Operation {
  readonly operation: string
  readonly collection?: string
  readonly database?: string
  readonly serverAddress?: string
  readonly serverPort?: number
}

/** mongoose, whose operations are recorded without filters and documents. */
export const mongoose: DatabaseLibrary<Operation> = {
  channels: [
    'mongoose:query',
    'mongoose:aggregate',
    'mongoose:model:save',
    'mongoose:model:insertMany',
    'mongoose:model:bulkWrite',
    'mongoose:cursor:next',
  ],
  wrapped: { file: 'mongoose/lib/model.js', path: ['prototype', 'save'] },
  callOf,
  startSpan: (tracing, message) => startDatabaseSpan(tracing, callOf(message)),
  statusOf: /* @__PURE__ */ numberIn('code'),
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
