import { type Clock, systemClock } from '../../base/clock.ts'
import { describeError } from '../../base/error-text.ts'
import type { HealthCheck } from '../indicator.ts'
import type { Status } from '../status.ts'
import { formatLatency } from './latency.ts'

export type Details = Readonly<Record<string, unknown>>

/** What a backend said when it was asked. */
export interface Answer {
  /** @default 'UP' */
  readonly status?: Status | undefined
  readonly details?: Details | undefined
  /** The monotonic time of the answer, where more was asked after it. */
  readonly answeredAt?: number | undefined
}

export interface Inquirer {
  readonly ask: (signal: AbortSignal) => Promise<Answer>
  /** What is known whether or not there is an answer, such as where the backend is. */
  readonly context?: (() => Details) | undefined
  /** Called when there is no answer. */
  readonly onFailure?: (() => void) | undefined
  readonly clock?: Clock | undefined
}

/**
 * The check of something that is asked and answers. Details: the context, and either what the answer says with its
 * `latency`, or the `error`, without credentials. Once the signal aborts, the check rejects with its reason.
 */
export function createCheck({ ask, context = () => ({}), onFailure, clock = systemClock }: Inquirer): HealthCheck {
  return async (signal) => {
    const askedAt = clock.monotonicTime()
    try {
      const { status = 'UP', details, answeredAt = clock.monotonicTime() } = await ask(signal)
      return { status, details: { ...context(), ...details, latency: formatLatency(answeredAt - askedAt) } }
    } catch (error) {
      onFailure?.()
      signal.throwIfAborted()
      return { status: 'DOWN', details: { ...context(), error: describeError(error) } }
    }
  }
}
