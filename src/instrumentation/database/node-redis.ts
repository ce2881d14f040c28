import { traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import { isConnecting, startRedisSpan } from './spans/redis-span.ts'
import { redisStatus } from './spans/status-code.ts'

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
      ({ args, database, serverAddress, serverPort }) =>
        isTracedElsewhere() || isConnecting(args[0] ?? '', args.length - 1)
          ? undefined
          : startRedisSpan(tracing, {
              operation: args[0] ?? 'COMMAND',
              argumentCount: args.length - 1,
              database,
              serverAddress,
              serverPort,
            }),
      redisStatus,
    ),
    traceChannel<Batch>(
      'node-redis:batch',
      tracing,
      safely,
      ({ batchMode = 'MULTI', ...call }) =>
        isTracedElsewhere() ? undefined : startRedisSpan(tracing, { ...call, operation: batchMode }),
      redisStatus,
    ),
  ])
}
