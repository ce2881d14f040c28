import { traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import { keepQueuedContext } from './ioredis-queue.ts'
import { isConnecting, type RedisCall, redisCallOf, startRedisSpan } from './spans/redis-span.ts'
import { redisStatus } from './spans/status-code.ts'
import { type TimeLibrary, timeChannel } from './time-channel.ts'

interface Server {
  readonly database?: number
  readonly serverAddress?: string
  readonly serverPort?: number
}

/** The message of a command, since ioredis 5.11; its arguments do not include the name. */
interface Command extends Server {
  readonly command: string
  readonly args: readonly string[]
}

/** The message of a transaction; its commands are published as well. */
interface Batch extends Server {
  readonly batchMode: string
  readonly batchSize: number
}

/** A transaction has a span of its own, named MULTI. */
function isOfTransaction(command: string): boolean {
  return /^(?:multi|exec)$/i.test(command)
}

/** Returns the call of a command; `undefined` for commands that connect, or begin or end a transaction. */
function commandOf({ command, args, ...server }: Command): RedisCall | undefined {
  if (isConnecting(command, args.length) || isOfTransaction(command)) return undefined
  return { ...server, operation: command, argumentCount: args.length }
}

function batchOf({ batchMode, ...call }: Batch): RedisCall {
  return { ...call, operation: batchMode }
}

/** Times ioredis commands and batches. */
export const timeIoredis: TimeLibrary = (timing, safely) =>
  combineUnsubscribes([
    timeChannel<Command>(
      'ioredis:command',
      timing,
      safely,
      (message) => {
        const call = commandOf(message)
        return call && redisCallOf(call)
      },
      redisStatus,
    ),
    timeChannel<Batch>('ioredis:batch', timing, safely, (message) => redisCallOf(batchOf(message)), redisStatus),
  ])

export const traceIoredis: TraceLibrary = (tracing, safely) => {
  const isTracedElsewhere = createOfficialCheck({ file: 'ioredis/built/index.js', path: ['prototype', 'sendCommand'] })
  return combineUnsubscribes([
    // OpenTelemetry's wrapper calls this patch if it was applied first.
    isTracedElsewhere() ? () => {} : keepQueuedContext(tracing),
    traceChannel<Command>(
      'ioredis:command',
      tracing,
      safely,
      (message) => {
        const call = isTracedElsewhere() ? undefined : commandOf(message)
        return call && startRedisSpan(tracing, call)
      },
      redisStatus,
    ),
    traceChannel<Batch>(
      'ioredis:batch',
      tracing,
      safely,
      (message) => (isTracedElsewhere() ? undefined : startRedisSpan(tracing, batchOf(message))),
      redisStatus,
    ),
  ])
}
