import { type Clock, systemClock } from '../../base/clock.ts'
import type { Duration } from '../../base/duration.ts'
import { describeError } from '../../base/error-text.ts'
import { invalidOption } from '../../base/errors.ts'
import type { HealthCheck } from '../indicator.ts'
import type { Status } from '../status.ts'

export type Details = Readonly<Record<string, unknown>>

/** A response of a backend. */
interface BackendResponse {
  /** @default 'UP' */
  readonly status?: Status | undefined
  readonly details?: Details | undefined
  /** The monotonic time of the response, if other requests followed it. */
  readonly respondedAt?: number | undefined
}

interface CheckOptions {
  readonly request: (signal: AbortSignal) => Promise<BackendResponse>
  /** Returns details that are known without a response, such as the address of the backend. */
  readonly context?: (() => Details) | undefined
  /** Called when the request fails. */
  readonly onFailure?: (() => void) | undefined
  readonly clock?: Clock | undefined
}

/**
 * Creates the check of a backend that responds to requests. Details: the context, and the details of the response with
 * its `latency`, or the `error` without credentials. Rejects with the reason of the signal once that has aborted.
 */
export function createCheck({
  request,
  context = () => ({}),
  onFailure,
  clock = systemClock,
}: CheckOptions): HealthCheck {
  const check = async (signal: AbortSignal) => {
    const requestedAt = clock.monotonicTime()
    try {
      const { status = 'UP', details, respondedAt = clock.monotonicTime() } = await request(signal)
      return { status, details: { ...context(), ...details, latency: formatLatency(respondedAt - requestedAt) } }
    } catch (error) {
      onFailure?.()
      signal.throwIfAborted()
      return { status: 'DOWN', details: { ...context(), error: describeError(error) } } as const
    }
  }
  return Object.assign(check, { isRemote: true })
}

/** Formats milliseconds with two decimals, such as `'1.32ms'`. */
export function formatLatency(milliseconds: number): Duration {
  return `${Math.round(milliseconds * 100) / 100}ms`
}

/**
 * Checks that an indicator receives a client, when it is created rather than at the first probe.
 *
 * @throws TypeError if the client has none of the methods.
 */
export function requireClient(indicator: string, client: unknown, expected: string, methods: readonly string[]): void {
  const isObject = (typeof client === 'object' && client !== null) || typeof client === 'function'
  if (isObject && methods.some((name) => typeof Reflect.get(client, name) === 'function')) return
  const received = isObject
    ? `${typeof client} without ${methods.join(', ')}`
    : String(client === null ? null : typeof client)
  throw invalidOption(`${indicator}: expected ${expected}, received ${received}`)
}
