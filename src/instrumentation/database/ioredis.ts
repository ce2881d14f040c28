import { traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import { keepQueuedContext } from './ioredis-queue.ts'
import { isConnecting, startRedisSpan } from './spans/redis-span.ts'
import { redisStatus } from './spans/status-code.ts'

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

export const traceIoredis: TraceLibrary = (tracing, safely) => {
  const isTracedElsewhere = createOfficialCheck({ file: 'ioredis/built/index.js', path: ['prototype', 'sendCommand'] })
  return combineUnsubscribes([
    // OpenTelemetry's wrapper calls this patch if it was applied first.
    isTracedElsewhere() ? () => {} : keepQueuedContext(tracing),
    traceChannel<Command>(
      'ioredis:command',
      tracing,
      safely,
      ({ command, args, ...server }) =>
        isTracedElsewhere() || isConnecting(command, args.length) || isOfTransaction(command)
          ? undefined
          : startRedisSpan(tracing, { ...server, operation: command, argumentCount: args.length }),
      redisStatus,
    ),
    traceChannel<Batch>(
      'ioredis:batch',
      tracing,
      safely,
      ({ batchMode, ...call }) =>
        isTracedElsewhere() ? undefined : startRedisSpan(tracing, { ...call, operation: batchMode }),
      redisStatus,
    ),
  ])
}
