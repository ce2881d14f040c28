import { createAbortable } from '../../base/abortable.ts'
import { describeError } from '../../base/error-text.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import { toHealth } from '../checks/check-result.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import type { ClientKind, ConnectionTarget } from './client-kind.ts'

/** A client that exists. */
export interface LiveClient {
  readonly kind: ClientKind
  readonly client: object
}

interface CheckedTarget {
  readonly target: ConnectionTarget
  /** Whether the application has used one of the clients. */
  wasUsed: boolean
  clients(): readonly LiveClient[]
}

/** How long a client may take to respond. */
const limitMilliseconds = 2_000

/**
 * Creates the check of what one or more clients are connected with: one round trip over one of them. A client that the
 * application has not used yet is not woken: `UNKNOWN`. While all connections of a pool are in use nothing waits in
 * their queue: `UP` as soon as one of them comes back.
 */
export function createTargetCheck(checked: CheckedTarget): HealthCheck {
  const checks = new WeakMap<object, HealthCheck>()
  const checkOf = ({ kind, client }: LiveClient): HealthCheck => {
    const check = checks.get(client) ?? kind.checkOf(client)
    checks.set(client, check)
    return check
  }

  async function check(signal: AbortSignal): Promise<Health> {
    const { host, port, database } = checked.target
    const where = { host, port, name: database }
    const chosen = choose(checked.clients())
    if (chosen === undefined) return { status: 'DOWN', details: { ...where, error: 'the connection was lost' } }
    const { kind, client } = chosen
    const { pool } = kind
    const state = kind.stateOf(client)
    if (state === 'open') checked.wasUsed = true
    if (state === 'unused' && !checked.wasUsed) return { status: 'UNKNOWN', details: where }
    const figures = pool?.figuresOf(client)
    const details = { ...where, ...(figures && { pool: figures }) }
    try {
      if (pool !== undefined && figures !== undefined && figures.idle === 0 && figures.total >= figures.maximum) {
        await returned((listener) => pool.onReturn(client, listener), signal)
        return { status: 'UP', details: { ...details, note: 'all connections are in use' } }
      }
      if (kind.isBusy?.(client) === true)
        return { status: 'UP', details: { ...details, note: 'the connection is used by a blocking command' } }
      const { status, details: found } = toHealth(await checkOf(chosen)(signal))
      if (kind.stateOf(client) === 'ended') return { status: 'UNKNOWN', details: where }
      const { validationQuery: _, error, ...rest } = found ?? {}
      return { status, details: { ...rest, ...details, ...(error !== undefined && { error: withoutUser(error) }) } }
    } catch (error) {
      return { status: 'DOWN', details: { ...details, error: withoutUser(describeError(error)) } }
    }
  }
  return Object.assign((signal: AbortSignal) => within(signal, check), { isRemote: true })
}

/** Runs a check with a limit of its own, so that its details are known when it is exceeded. */
async function within(outer: AbortSignal, check: HealthCheck): Promise<string | Health> {
  const controller = new AbortController()
  const expire = () => controller.abort(new DOMException(`no response within ${limitMilliseconds} ms`, 'TimeoutError'))
  const timer = setUnrefTimeout(expire, limitMilliseconds)
  try {
    return await check(AbortSignal.any([outer, controller.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the client to ask: the newest one that is connected and not busy, if there is one. */
function choose(clients: readonly LiveClient[]): LiveClient | undefined {
  const rank = ({ kind, client }: LiveClient): number => {
    const state = kind.stateOf(client)
    if (state === 'open') return kind.isBusy?.(client) === true ? 1 : 0
    return state === 'unused' ? 2 : 3
  }
  return clients.toReversed().sort((one, other) => rank(one) - rank(other))[0]
}

async function returned(onReturn: (listener: () => void) => () => void, signal: AbortSignal): Promise<void> {
  const waiter = createAbortable<void>(signal)
  const remove = onReturn(() => waiter.resolve())
  try {
    await waiter.promise
  } finally {
    remove()
  }
}

/** Servers name the user that they refuse: `user "app"`, `user 'app'@'10.0.0.1'`. */
function withoutUser(error: unknown): string {
  return String(error).replace(/\b(user|role) (?:"[^"]{0,200}"|'[^']{0,200}'(?:@'[^']{0,200}')?)/gi, '$1 …')
}
