import { type Clock, systemClock } from '../../base/clock.ts'
import { describeValue } from '../../base/describe-value.ts'
import { invalidOption } from '../../base/errors.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'

/** Options of `sql`. */
export interface SqlOptions {
  /**
   * Runs a query: returns, or resolves, when the database has responded; throws or rejects if that fails. What it
   * returns is ignored. `signal` aborts when the check times out.
   */
  readonly query: (signal: AbortSignal) => unknown
  /** The product, shown as the detail `database`, such as `'PostgreSQL'`. @default not shown */
  readonly database?: string | undefined
  /** The text of the query, shown as the detail `validationQuery`. @default not shown */
  readonly validationQuery?: string | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while a query succeeds: for any client, object-relational mapper or query builder, synchronous ones included.
 * Details: `database` and `validationQuery` as given, `latency`. One query at a time is pending; while one hangs, no
 * other is sent until it settles or ten timeouts have passed.
 *
 * @throws TypeError if `query` is not a function, another option not a string, or an option does not exist.
 */
export function sql(options: SqlOptions): HealthCheck {
  checkIndicatorOptions('sql', options, ['query', 'database', 'validationQuery', 'clock'], {
    run: 'query',
    execute: 'query',
  })
  const { query, database, validationQuery, clock = systemClock } = options
  if (typeof query !== 'function') {
    throw invalidOption(`sql: query: expected a function, received ${describeValue(query)}`)
  }
  const shown = Object.entries({ database, validationQuery }).filter(([, value]) => value !== undefined)
  for (const [name, value] of shown) {
    if (typeof value !== 'string') {
      throw invalidOption(`sql: ${name}: expected a string, received ${describeValue(value)}`)
    }
  }
  return createCheck({
    request: async (signal) => {
      requireExecuted(await query(signal))
      return {}
    },
    context: () => Object.fromEntries(shown),
    clock,
  })
}

/** The methods that run what a query builder has built (Kysely), or a statement that is prepared (node:sqlite). */
const runMethods = ['execute', 'run']

/** Throws if the query was only built: its component would be `UP` forever. */
function requireExecuted(result: unknown): void {
  if (typeof result !== 'object' || result === null) return
  const method = runMethods.find((name) => typeof Reflect.get(result, name) === 'function')
  if (method === undefined) return
  throw invalidOption(`sql: query: expected the query to be run, received one to be run by ${method}()`)
}
