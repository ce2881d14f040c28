import type { Tracing } from '../../../tracing/tracing.ts'
import { attemptSpan, tracingNow } from '../../tracing-now.ts'
import { beginDatabaseCall, hasDatabaseRecorders } from '../../wrapped-operations.ts'
import type { DatabaseCall } from '../database-operation.ts'
import { startDatabaseSpan } from '../spans/database-span.ts'
import { readPrismaError } from './prisma-error.ts'

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
  const span = tracing && attemptSpan(() => startDatabaseSpan(tracing, call))
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
