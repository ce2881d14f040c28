import { traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import { isConnecting, type RedisCall, redisCallOf, startRedisSpan } from './spans/redis-span.ts'
import { redisStatus } from './spans/status-code.ts'
import { type TimeLibrary, timeChannel } from './time-channel.ts'

interface Server {
  readonly database?: number
  readonly serverAddress?: string
  readonly serverPort?: number
}

/** The message of a command, since node-redis 5.12; its first argument is the name. */
interface Command extends Server {
  readonly args: readonly string[]
}

/** The message of a pipeline or transaction. Commands of a pipeline are published as well. */
interface Batch extends Server {
  readonly batchMode?: string
  readonly batchSize?: number
}

/** Returns the call of a command; `undefined` for commands that connect. */
function commandOf({ args, database, serverAddress, serverPort }: Command): RedisCall | undefined {
  const [operation = 'COMMAND'] = args
  if (isConnecting(operation, args.length - 1)) return undefined
  return { operation, argumentCount: args.length - 1, database, serverAddress, serverPort }
}

function batchOf({ batchMode = 'MULTI', ...call }: Batch): RedisCall {
  return { ...call, operation: batchMode }
}

/** Times node-redis commands and batches. */
export const timeNodeRedis: TimeLibrary = (timing, safely) =>
  combineUnsubscribes([
    timeChannel<Command>(
      'node-redis:command',
      timing,
      safely,
      (message) => {
        const call = commandOf(message)
        return call && redisCallOf(call)
      },
      redisStatus,
    ),
    timeChannel<Batch>('node-redis:batch', timing, safely, (message) => redisCallOf(batchOf(message)), redisStatus),
  ])

export const traceNodeRedis: TraceLibrary = (tracing, safely) => {
  const isTracedElsewhere = createOfficialCheck({
    file: '@redis/client/dist/lib/client/index.js',
    path: ['default', 'prototype', 'sendCommand'],
  })
  return combineUnsubscribes([
    traceChannel<Command>(
      'node-redis:command',
      tracing,
      safely,
      (message) => {
        const call = isTracedElsewhere() ? undefined : commandOf(message)
        return call && startRedisSpan(tracing, call)
      },
      redisStatus,
    ),
    traceChannel<Batch>(
      'node-redis:batch',
      tracing,
      safely,
      (message) => (isTracedElsewhere() ? undefined : startRedisSpan(tracing, batchOf(message))),
      redisStatus,
    ),
  ])
}
