import type { Health, HealthCheck } from '../../src/entries/index.ts'

/** What an indicator of `@nestjs/terminus` returns: statuses and details by key. */
export interface TerminusResult {
  readonly [key: string]: { readonly status: 'up' | 'degraded' | 'down' }
}

/** An indicator function of `@nestjs/terminus`, such as `() => this.db.pingCheck('database')`. */
export type TerminusCheck = () => TerminusResult | PromiseLike<TerminusResult>

/** The attempt of `HealthIndicatorService` in `@nestjs/terminus` 12, which is made each time that it is awaited. */
export type TerminusAttempt = PromiseLike<TerminusResult>

/**
 * Returns a check that also accepts what indicators of `@nestjs/terminus` return and throw. `degraded` is `UP`, as
 * terminus responds to it with 200, and remains in the details.
 */
export function acceptTerminus(
  check: (signal: AbortSignal) => ReturnType<HealthCheck> | ReturnType<TerminusCheck>,
): HealthCheck {
  const accepting: HealthCheck = async (signal) => {
    try {
      return toHealth(await check(signal))
    } catch (error) {
      const health = isObject(error) && 'isHealthCheckError' in error ? toHealth(error['causes']) : undefined
      if (health === undefined || typeof health === 'string' || health.status !== 'DOWN') throw error
      return health
    }
  }
  return Object.assign(accepting, 'close' in check && { close: check.close })
}

/** Returns anything else than a result of terminus as it is: `createManagement` checks it. */
function toHealth(result: unknown): string | Health {
  if (!isTerminusResult(result)) return result as string | Health
  const entries = Object.entries(result)
  const status = entries.some(([, { status }]) => status === 'down') ? 'DOWN' : 'UP'
  const [[, only] = [], ...others] = entries
  if (only === undefined || others.length > 0) return { status, details: result }
  const { status: own, ...details } = only
  return { status, details: own === 'degraded' ? only : details }
}

function isTerminusResult(value: unknown): value is TerminusResult {
  if (!isObject(value) || typeof value['status'] === 'string') return false
  const parts = Object.values(value)
  return parts.length > 0 && parts.every((part) => isObject(part) && statuses.has(part['status']))
}

const statuses: ReadonlySet<unknown> = new Set(['up', 'degraded', 'down'])

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
