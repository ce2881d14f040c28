import type { Span } from '../../../tracing/span.ts'
import type { Tracing } from '../../../tracing/tracing.ts'
import { startDatabaseSpan } from './database-span.ts'

/** What clients of Redis tell of a command, or of several that were sent as one. */
export interface RedisCall {
  readonly operation: string
  /** How many arguments, where it is one command. */
  readonly argumentCount?: number | undefined
  readonly database?: number | string | undefined
  readonly serverAddress?: string | undefined
  readonly serverPort?: number | undefined
  readonly batchSize?: number | undefined
}

/** More arguments are not drawn. */
const mostArguments = 8

/** What clients send by themselves when they connect; an application's own are not worth a span either. */
const connecting = new Set(['HELLO', 'AUTH', 'CLIENT', 'SELECT', 'READONLY'])

/** Whether a command is one by which a client sets up its connection: those, and the INFO without a section of a ready check. */
export function isConnecting(operation: string, argumentCount: number): boolean {
  const name = operation.toUpperCase()
  return connecting.has(name) || (name === 'INFO' && argumentCount === 0)
}

/** Begins the span of a Redis command. Of its arguments only their number is told: a key may be as private as a value. */
export function startRedisSpan(tracing: Tracing, call: RedisCall): Span {
  const { argumentCount, database, serverAddress, serverPort, batchSize } = call
  const operation = call.operation.toUpperCase()
  const span = startDatabaseSpan(tracing, {
    system: 'redis',
    operation,
    namespace: database === undefined ? undefined : String(database),
    address: serverAddress,
    port: serverPort,
    batchSize,
  })
  if (argumentCount !== undefined && span.isRecording) {
    const dots = argumentCount > mostArguments ? ' …' : ''
    span.setAttributes({ 'db.query.text': operation + ' ?'.repeat(Math.min(argumentCount, mostArguments)) + dots })
  }
  return span
}
