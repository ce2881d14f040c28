import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import type { DatabaseCall } from '../client-operations.ts'
import type { DatabaseLibrary } from './database-library.ts'
import { startDatabaseSpan } from './database-span.ts'
import { keepQueuedContext } from './ioredis-queue.ts'

interface Server {
  readonly database?: number
  readonly serverAddress?: string
  readonly serverPort?: number
}

/** The message of a command, since ioredis 5.11; its arguments do not include the name. */
interface IoredisCommand extends Server {
  readonly command: string
  readonly args: readonly string[]
}

/** The message of a command, since node-redis 5.12; its first argument is the name. */
interface NodeRedisCommand extends Server {
  readonly args: readonly string[]
  readonly batchSize?: number
}

/** The message of a transaction, or of a pipeline of node-redis. Their commands are published as well. */
interface Batch extends Server {
  readonly batchMode?: string
  readonly batchSize?: number
}

/** A command or batch, as a client has published it. */
interface RedisCall extends Server {
  readonly operation: string
  /** Number of arguments of a single command. */
  readonly argumentCount?: number
  readonly batchSize?: number
}

export const ioredis: DatabaseLibrary<IoredisCommand | Batch> = {
  channels: ['ioredis:command', 'ioredis:batch'],
  wrapped: { file: 'ioredis/built/index.js', path: ['prototype', 'sendCommand'] },
  callOf(message) {
    const call = readIoredis(message)
    return call && describe(call)
  },
  startSpan: (tracing, message) => startRedisSpan(tracing, readIoredis(message)),
  statusOf: redisStatus,
  keepQueuedContext,
}

export const nodeRedis: DatabaseLibrary<NodeRedisCommand | Batch> = {
  channels: ['node-redis:command', 'node-redis:batch'],
  wrapped: { file: '@redis/client/dist/lib/client/index.js', path: ['default', 'prototype', 'sendCommand'] },
  callOf(message) {
    const call = readNodeRedis(message)
    return call && describe(call)
  },
  startSpan: (tracing, message) => startRedisSpan(tracing, readNodeRedis(message)),
  statusOf: redisStatus,
}

/** Returns the call of a message; `undefined` for commands that connect, or begin or end a transaction. */
function readIoredis(message: IoredisCommand | Batch): RedisCall | undefined {
  if (!('args' in message)) return readBatch(message)
  const { command, args, ...server } = message
  // A transaction has a call of its own, named MULTI.
  if (isConnecting(command, args.length) || /^(?:multi|exec)$/i.test(command)) return undefined
  return { ...server, operation: command, argumentCount: args.length }
}

/** Returns the call of a message; `undefined` for commands that connect. */
function readNodeRedis(message: NodeRedisCommand | Batch): RedisCall | undefined {
  if (!('args' in message)) return readBatch(message)
  // Those of a pipeline have its size.
  const { args, batchSize: _, ...server } = message
  const [operation = 'COMMAND'] = args
  if (isConnecting(operation, args.length - 1)) return undefined
  return { ...server, operation, argumentCount: args.length - 1 }
}

function readBatch({ batchMode = 'MULTI', ...call }: Batch): RedisCall {
  return { ...call, operation: batchMode }
}

/** Commands that clients send on connection. Applications rarely send them. */
const connecting = new Set(['HELLO', 'AUTH', 'CLIENT', 'SELECT', 'READONLY'])

/** Whether a command sets up a connection: one of these, or the INFO of a ready check. */
function isConnecting(operation: string, argumentCount: number): boolean {
  const name = operation.toUpperCase()
  return connecting.has(name) || (name === 'INFO' && argumentCount === 0)
}

function describe({ operation, database, serverAddress, serverPort, batchSize }: RedisCall): DatabaseCall {
  return {
    system: 'redis',
    operation: operation.toUpperCase(),
    namespace: database === undefined ? undefined : String(database),
    address: serverAddress,
    port: serverPort,
    batchSize,
  }
}

/** Further arguments are not shown. */
const maxArguments = 8

/** Only the number of arguments is recorded: keys may be as private as values. */
function startRedisSpan(tracing: Tracing, call: RedisCall | undefined): Span | undefined {
  if (call === undefined) return undefined
  const { argumentCount } = call
  const described = describe(call)
  const span = startDatabaseSpan(tracing, described)
  if (argumentCount !== undefined && span.isRecording) {
    const dots = argumentCount > maxArguments ? ' …' : ''
    const query = described.operation + ' ?'.repeat(Math.min(argumentCount, maxArguments)) + dots
    span.setAttributes({ 'db.query.text': query })
  }
  return span
}

/** Returns the first word of a Redis error, such as `WRONGTYPE`. */
function redisStatus(error: unknown): string | undefined {
  return error instanceof Error ? /^([A-Z]{3,32}) /.exec(error.message)?.[1] : undefined
}
