import { traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { type Row, together } from '../row.ts'
import { keepQueuedContext } from './ioredis-queue.ts'
import { isConnecting, startRedisSpan } from './spans/redis-span.ts'
import { redisStatus } from './spans/status-code.ts'

interface Server {
  readonly database?: number
  readonly serverAddress?: string
  readonly serverPort?: number
}

/** What ioredis tells of a command, since 5.11; its name is not among the arguments. */
interface Command extends Server {
  readonly command: string
  readonly args: readonly string[]
}

/** And of a transaction, whose commands are told of, too. */
interface Batch extends Server {
  readonly batchMode: string
  readonly batchSize: number
}

/** The batch of a transaction has a span already, under the name MULTI. */
function isOfTransaction(command: string): boolean {
  return /^(?:multi|exec)$/i.test(command)
}

export const traceIoredis: Row = (tracing, safely) => {
  const isTracedElsewhere = createOfficialCheck({ file: 'ioredis/built/index.js', path: ['prototype', 'sendCommand'] })
  return together([
    // Theirs is below a patch of ours, where that comes first.
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
