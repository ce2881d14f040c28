import { type Channel, channel } from 'node:diagnostics_channel'
import { systemClock } from '../base/clock.ts'
import { attempt } from './safely.ts'

/** A database call, by the attributes of OpenTelemetry's conventions. */
export interface DatabaseCall {
  /** `db.system.name` */
  readonly system: string
  /** `db.operation.name` */
  readonly operation: string
  /** `db.namespace`: the database of the server. */
  readonly namespace?: string | undefined
  /** `db.collection.name` */
  readonly collection?: string | undefined
  /** `db.stored_procedure.name` */
  readonly procedure?: string | undefined
  /** A host name, or the path of a socket. */
  readonly address?: string | undefined
  readonly port?: number | undefined
  /** Number of operations in a batch. */
  readonly batchSize?: number | undefined
}

/** A database call that has ended, to be recorded. */
export interface DatabaseOperation extends DatabaseCall {
  readonly seconds: number
  /** `undefined` if the call succeeded. */
  readonly error: unknown
  /** `db.response.status_code` of the error. */
  readonly statusCode: string | undefined
}

/** The sending or processing of messages. */
interface MessagingCall {
  /** `messaging.system.name` */
  readonly system: string
  /** `messaging.operation.type` */
  readonly type: 'send' | 'process'
  /** `messaging.operation.name`: the client's name of the operation. */
  readonly operation: string
  /** A topic, queue, exchange or subject, without the parts that differ from message to message. */
  readonly destination: string | undefined
  readonly address?: string | undefined
  readonly port?: number | undefined
  /** Number of messages. */
  readonly messages: number
}

/** A messaging call that has ended, to be recorded. */
export interface MessagingOperation extends MessagingCall {
  readonly seconds: number
  /** `undefined` if the call succeeded. */
  readonly error: unknown
}

/** Operations of wrapped clients, which belong to no management: each management of the process records them. */
const databaseOperations: Channel = /* @__PURE__ */ channel('upkeep.database.operation')
const messagingOperations: Channel = /* @__PURE__ */ channel('upkeep.messaging.operation')

/** Ends a running operation, and publishes it. */
export type EndOperation = (error?: unknown, statusCode?: string) => void

/** The recorders of a management. They never throw. */
export interface OperationRecorders {
  readonly database: (operation: DatabaseOperation) => void
  readonly messaging: (operation: MessagingOperation) => void
}

/** Calls the recorders with the operations of wrapped clients. Returns an unsubscribe function. */
export function recordWrappedOperations({ database, messaging }: OperationRecorders): () => void {
  const recordDatabase = (operation: unknown) => database(operation as DatabaseOperation)
  const recordMessaging = (operation: unknown) => messaging(operation as MessagingOperation)
  databaseOperations.subscribe(recordDatabase)
  messagingOperations.subscribe(recordMessaging)
  return () => {
    databaseOperations.unsubscribe(recordDatabase)
    messagingOperations.unsubscribe(recordMessaging)
  }
}

/** Whether a management records database calls. */
export function hasDatabaseRecorders(): boolean {
  return databaseOperations.hasSubscribers
}

/** Whether a management records messages. */
export function hasMessagingRecorders(): boolean {
  return messagingOperations.hasSubscribers
}

/** Starts to time a database call; returns `undefined` if no management records it, or if `describe` fails. */
export function beginDatabaseCall(describe: () => DatabaseCall): EndOperation | undefined {
  if (!databaseOperations.hasSubscribers) return undefined
  const call = attempt(describe)
  if (call === undefined) return undefined
  return startTiming((seconds, error, statusCode) =>
    databaseOperations.publish({ ...call, seconds, error, statusCode } satisfies DatabaseOperation),
  )
}

/** Starts to time the sending or processing of messages; returns `undefined` if no management records it. */
export function beginMessagingCall(call: MessagingCall): EndOperation | undefined {
  if (!messagingOperations.hasSubscribers) return undefined
  return startTiming((seconds, error) =>
    messagingOperations.publish({ ...call, seconds, error } satisfies MessagingOperation),
  )
}

function startTiming(publish: (seconds: number, error: unknown, statusCode: string | undefined) => void): EndOperation {
  const startedAt = systemClock.monotonicTime()
  let isOver = false
  return (error, statusCode) => {
    if (isOver) return
    isOver = true
    publish((systemClock.monotonicTime() - startedAt) / 1_000, error ?? undefined, statusCode)
  }
}
