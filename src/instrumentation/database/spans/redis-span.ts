import type { Span } from '../../../tracing/span.ts'
import type { Tracing } from '../../../tracing/tracing.ts'
import type { DatabaseCall } from '../database-operation.ts'
import { startDatabaseSpan } from './database-span.ts'

/** A Redis command or batch, as reported by the clients. */
export interface RedisCall {
  readonly operation: string
  /** Number of arguments of a single command. */
  readonly argumentCount?: number | undefined
  readonly database?: number | string | undefined
  readonly serverAddress?: string | undefined
  readonly serverPort?: number | undefined
  readonly batchSize?: number | undefined
}

/** Further arguments are not shown. */
const maxArguments = 8

/** Commands that clients send on connection. Applications rarely send them. */
const connecting = new Set(['HELLO', 'AUTH', 'CLIENT', 'SELECT', 'READONLY'])

/** Whether a command sets up a connection: one of these, or the INFO of a ready check. */
export function isConnecting(operation: string, argumentCount: number): boolean {
  const name = operation.toUpperCase()
  return connecting.has(name) || (name === 'INFO' && argumentCount === 0)
}

/** Returns the attributes of a Redis command or batch. */
export function redisCallOf({ operation, database, serverAddress, serverPort, batchSize }: RedisCall): DatabaseCall {
  return {
    system: 'redis',
    operation: operation.toUpperCase(),
    namespace: database === undefined ? undefined : String(database),
    address: serverAddress,
    port: serverPort,
    batchSize,
  }
}

/** Starts the span of a Redis command. Only the number of arguments is recorded: keys may be as private as values. */
export function startRedisSpan(tracing: Tracing, call: RedisCall): Span {
  const { argumentCount } = call
  const described = redisCallOf(call)
  const { operation } = described
  const span = startDatabaseSpan(tracing, described)
  if (argumentCount !== undefined && span.isRecording) {
    const dots = argumentCount > maxArguments ? ' …' : ''
    span.setAttributes({ 'db.query.text': operation + ' ?'.repeat(Math.min(argumentCount, maxArguments)) + dots })
  }
  return span
}
