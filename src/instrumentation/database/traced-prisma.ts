import { errorName } from '../../base/settled-work.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { beginDatabaseCall, type DatabaseCall, hasDatabaseRecorders } from '../client-operations.ts'
import { attempt } from '../safely.ts'
import { tracingNow } from '../tracing-now.ts'
import { startDatabaseSpan } from './database-span.ts'

/** A PrismaClient, or an extended one. */
export interface TraceablePrisma {
  $extends(extension: never): unknown
  $transaction(...args: never[]): unknown
}

type Call = (...args: readonly unknown[]) => unknown

/** What Prisma passes to a query extension. `args`, which has the values, is only passed on. */
interface PrismaOperation {
  readonly model?: string | undefined
  readonly operation: string
  readonly args: unknown
  readonly query: (args: unknown) => PromiseLike<unknown>
}

/**
 * Extends a PrismaClient so that its operations are traced, and timed by every management of the process, by model and
 * operation: `findMany Order`, `$queryRaw`, `$transaction`. Values are not recorded: of an error only its class and its
 * codes. Like every extended client, the result has no `$on`: call that of the client itself. Creates no spans while
 * `@prisma/instrumentation` is active.
 */
export function tracedPrisma<C extends TraceablePrisma>(client: C): Omit<C, '$on'> {
  const system = systemOf(client)
  const observe = <R>(operation: string, model: string | undefined, run: () => PromiseLike<R>): PromiseLike<R> =>
    observeCall(isTracedElsewhere(client) ? undefined : tracingNow(), { system, operation, collection: model }, run)

  const extension = {
    name: 'upkeep',
    query: {
      $allOperations: ({ model, operation, args, query }: PrismaOperation) =>
        observe(operation, model, () => query(args)),
    },
    client: {
      $transaction(...args: readonly unknown[]) {
        // On the client that is called, so that further extensions apply inside the transaction.
        const run = () => Reflect.apply(client.$transaction as Call, this, args) as PromiseLike<unknown>
        return observe('$transaction', undefined, run)
      },
    },
  }
  // Safe: the extension adds nothing to the type.
  return Reflect.apply(client.$extends, client, [extension]) as C
}

async function observeCall<R>(tracing: Tracing | undefined, call: DatabaseCall, run: () => PromiseLike<R>): Promise<R> {
  if (tracing === undefined && !hasDatabaseRecorders()) return await run()
  const span = tracing && attempt(() => startDatabaseSpan(tracing, call))
  const end = beginDatabaseCall(() => call)
  try {
    // Awaited in the span: promises of Prisma begin their work when they are.
    const result = await (tracing && span ? tracing.run(span, async () => await run()) : run())
    end?.()
    return result
  } catch (error) {
    const { type, statusCode, recorded, named } = readPrismaError(error)
    span?.setAttributes({ 'error.type': type, 'db.response.status_code': statusCode })
    span?.fail(recorded)
    end?.(named, statusCode)
    throw error
  } finally {
    span?.end()
  }
}

const systems: Readonly<Record<string, string>> = {
  cockroachdb: 'cockroachdb',
  mongodb: 'mongodb',
  mysql: 'mysql',
  postgresql: 'postgresql',
  sqlite: 'sqlite',
  sqlserver: 'microsoft.sql_server',
}

/** Returns `db.system.name`, by the provider of the schema. */
function systemOf(client: object): string {
  const provider: unknown = Reflect.get(client, '_activeProvider')
  return (typeof provider === 'string' ? systems[provider] : undefined) ?? 'other_sql'
}

/** Whether `@prisma/instrumentation` creates spans. It may be registered later. */
function isTracedElsewhere(client: object): boolean {
  const helper: unknown = Reflect.get(client, '_tracingHelper')
  if (typeof helper !== 'object' || helper === null || !('isEnabled' in helper)) return false
  return typeof helper.isEnabled === 'function' && helper.isEnabled() === true
}

/** What is recorded of an error of Prisma. Its message has the arguments of the operation, so it is not read. */
interface PrismaError {
  /** `error.type`: the code of the database, else of Prisma, else the class. */
  readonly type: string
  /** The code of the database, such as an SQLSTATE. */
  readonly statusCode: string | undefined
  /** For spans: the class, with the codes as its message. */
  readonly recorded: Error
  /** For meters: named by the code of Prisma if it has one. */
  readonly named: Error
}

/** Returns what may be recorded of an error. Accepts any thrown value, and never throws. */
function readPrismaError(error: unknown): PrismaError {
  const className = errorName(error)
  const code = word(member(error, 'code')) ?? word(member(error, 'errorCode'))
  const cause = member(member(member(error, 'meta'), 'driverAdapterError'), 'cause')
  const statusCode = word(member(cause, 'originalCode'))
  const codes = [code, statusCode].filter((each) => each !== undefined)
  return {
    type: statusCode ?? code ?? className,
    statusCode,
    recorded: createError(className, codes.join(', '), error),
    named: createError(code ?? className, '', undefined),
  }
}

/** Creates an error with the frames of another one. */
function createError(name: string, message: string, from: unknown): Error {
  const error = new Error(message)
  error.name = name
  error.stack = (from instanceof Error ? framesOf(from) : undefined) ?? name
  return error
}

/** Returns the stack after its message; `undefined` if it is not known where that ends. */
function framesOf(error: Error): string | undefined {
  try {
    const { message, stack = '' } = error
    const at = stack.indexOf(message)
    const frames = at < 0 ? '' : stack.slice(at + message.length).trimStart()
    return frames.startsWith('at ') ? `${errorName(error)}\n    ${frames}` : undefined
  } catch {
    return undefined
  }
}

function member(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : undefined
}
