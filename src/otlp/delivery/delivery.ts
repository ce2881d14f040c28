import type { Clock } from '../../base/clock.ts'
import { maxDelay } from '../../base/timers.ts'
import { withoutTracing } from '../../tracing/without-tracing.ts'
import {
  type Attempt,
  createAttempt,
  deliveryFailure,
  isSuccess,
  isUndecided,
  isWorthRepeating,
  waitMilliseconds,
} from './attempt.ts'
import type { ExportMeters, Signal } from './export-meters.ts'
import type { FlushWindow } from './flush-window.ts'
import type { LossReport } from './loss-report.ts'

/** Sends items to a receiver. */
export interface Sender<T> {
  /** Sends items once. Never rejects. */
  send(items: T, timeoutMilliseconds: number): Promise<Attempt>
  /** Ends the current request and closes all connections. */
  abort(): void
}

/** Returns what to try, which is appended to the reason of a refusal; empty if nothing is known. */
export type RefusalHint = (status: number, reason: string) => string

interface DeliveryOptions<T> {
  readonly signal: Signal
  readonly sender: Sender<T>
  readonly hint: RefusalHint
  /** Returns the number of spans, data points or log records. */
  readonly count: (items: T) => number
  /** Called with delivered items. */
  readonly acknowledge?: ((items: T) => void) | undefined
  /** Timeout of one delivery, retries included; of one attempt if `retriesForever`. */
  readonly timeoutMilliseconds: number
  /**
   * Whether items are sent until they arrive or are refused, also after a timeout, which may deliver them twice.
   * @default false
   */
  readonly retriesForever?: boolean
  /** When items are sent. @default always */
  readonly window?: FlushWindow | undefined
  readonly meters: ExportMeters
  readonly losses: LossReport
  readonly clock: Clock
  readonly random: () => number
}

/** Delivers exports to a receiver, one at a time. */
interface Delivery<T> {
  /**
   * Returns `undefined` for delivered items, else the reason, which has been counted and reported. `deadline` is in
   * milliseconds of monotonic time, and includes the deliveries queued before. Never rejects. @default no deadline
   */
  deliver(items: T, deadline?: number): Promise<Error | undefined>
  /** Resolves when all exports have been delivered or have failed. */
  idle(): Promise<void>
  /** Cancels current and future deliveries. */
  abort(): void
}

export function createDelivery<T>(options: DeliveryOptions<T>): Delivery<T> {
  const { signal, sender, hint, count, acknowledge, retriesForever = false, meters, losses, clock, random } = options
  const { timeoutMilliseconds, window } = options
  const aborted = new AbortController()
  let latest: Promise<unknown> = Promise.resolve()

  /** Returns the last attempt. */
  async function attemptAll(items: T, limit: number): Promise<Attempt> {
    const timeout = clock.monotonicTime() + timeoutMilliseconds
    const deadline = retriesForever ? limit : Math.min(timeout, limit)
    let last = createAttempt()
    for (let repetition = 0; ; repetition += 1) {
      while (window !== undefined && window.remaining <= 0 && !aborted.signal.aborted) await window.next(aborted.signal)
      const limits = [timeoutMilliseconds, deadline - clock.monotonicTime(), window?.remaining ?? timeoutMilliseconds]
      const remaining = Math.min(...limits)
      if (aborted.signal.aborted || remaining <= 0) {
        return repetition > 0 || !aborted.signal.aborted ? last : { ...last, errorCode: 'ABORTED' }
      }
      last = await sender.send(items, remaining)
      const isFinal = isSuccess(last) || !(isWorthRepeating(last) || (retriesForever && isUndecided(last)))
      if (isFinal) return last
      const wait = waitMilliseconds(repetition, last.retryAfterMilliseconds, random())
      if (clock.monotonicTime() + wait >= deadline) return last
      if (clock.monotonicTime() + wait >= timeout) losses.delay(reasonOf(last).message)
      if (window !== undefined && window.remaining <= wait) await window.next(aborted.signal)
      else await pause(wait, aborted.signal)
      if (!aborted.signal.aborted) meters.repeated(signal)
    }
  }

  function reasonOf(last: Attempt): Error {
    const failure = deliveryFailure(last)
    if (last.status !== undefined) failure.message += hint(last.status, last.text)
    return failure
  }

  function settle(items: T, last: Attempt): Error | undefined {
    const size = count(items)
    if (!isSuccess(last)) {
      const failure = reasonOf(last)
      meters.failed(signal, size)
      losses.add('failed', size, failure.message)
      return failure
    }
    const { rejected = 0, message = '' } = last.partialSuccess ?? {}
    meters.exported(signal, Math.max(0, size - rejected))
    if (rejected > 0) {
      meters.rejected(signal, rejected)
      losses.add('rejected', rejected, message + hint(last.status ?? 200, message))
    } else if (message !== '') losses.warn(message)
    // Failed metrics are part of the sums of the next export; failed spans and log records are lost.
    if (signal === 'metrics') losses.recover()
    acknowledge?.(items)
    return undefined
  }

  return {
    deliver(items, deadline = Number.POSITIVE_INFINITY) {
      // Outside the context of the request that completed a batch or started its timer: counting is not part of that
      // trace. Only filters and report functions of the application can throw, which must not stop deliveries.
      const delivered = withoutTracing(() =>
        latest
          .then(() => attemptAll(items, deadline))
          .then((last) => settle(items, last))
          .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
      )
      latest = delivered
      return delivered
    },
    idle: () => latest.then(() => {}),
    abort() {
      aborted.abort()
      sender.abort()
    },
  }
}

/** Waits, without keeping the process alive. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(end, Math.min(milliseconds, maxDelay))
    timer.unref()
    signal.addEventListener('abort', end)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}
