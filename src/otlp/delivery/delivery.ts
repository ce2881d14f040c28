import type { Clock } from '../../base/clock.ts'
import { maxDelay } from '../../base/timers.ts'
import { rootContext } from '../../tracing/context/context.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import { suppressTracingKey } from '../../tracing/open-telemetry.ts'
import { createAttempt, deliveryFailure, isSuccess, isWorthRepeating, waitMilliseconds } from './attempt.ts'
import type { ExportMeters, Signal } from './export-meters.ts'
import type { LossReport } from './loss-report.ts'
import type { ReceiverAgent } from './receiver-agent.ts'

const suppressed = rootContext.setValue(suppressTracingKey, true)

/** The outcome of an export, as in OpenTelemetry: 0 is success, 1 is failure. */
export interface ExportResult {
  readonly code: 0 | 1
  readonly error?: Error
}

/** An OpenTelemetry exporter of spans or metrics. */
interface Exporter<T> {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void
  shutdown(): Promise<void>
}

interface DeliveryOptions<T> {
  readonly signal: Signal
  readonly exporter: Exporter<T>
  readonly agent: ReceiverAgent
  /** Appended to the reason of a failure with 404 or 405. */
  readonly hint: string
  /** Returns the number of spans or data points. */
  readonly count: (items: T) => number
  /** Called with delivered items. */
  readonly acknowledge?: ((items: T) => void) | undefined
  /** Timeout of one delivery, retries included. */
  readonly timeoutMilliseconds: number
  /** Timeout of a delivery including the deliveries queued before it. */
  readonly patienceMilliseconds: number
  readonly meters: ExportMeters
  readonly losses: LossReport
  readonly clock: Clock
  readonly random: () => number
}

/** Delivers exports to a receiver, one at a time. */
interface Delivery<T> {
  /** Calls `done` exactly once, in bounded time. Never throws. */
  export(items: T, done: (result: ExportResult) => void): void
  /** Resolves when all exports have been delivered or have failed. */
  idle(): Promise<void>
  /** Cancels current and future deliveries. */
  abort(): void
}

export function createDelivery<T>(options: DeliveryOptions<T>): Delivery<T> {
  const { signal, exporter, agent, hint, count, acknowledge, meters, losses, clock, random } = options
  const aborted = new AbortController()
  let latest: Promise<void> = Promise.resolve()

  async function deliver(items: T, handedOver: number): Promise<ExportResult> {
    const now = clock.monotonicTime()
    const deadline = Math.min(now + options.timeoutMilliseconds, handedOver + options.patienceMilliseconds)
    for (let repetition = 0; ; repetition += 1) {
      const remaining = deadline - clock.monotonicTime()
      if (aborted.signal.aborted || remaining <= 0) {
        const errorCode = aborted.signal.aborted ? 'ABORTED' : undefined
        return { code: 1, error: deliveryFailure(repetition > 0 ? agent.attempt : { ...createAttempt(), errorCode }) }
      }
      agent.begin(remaining)
      const result = await attempt(items)
      if (result.code === 0 || !isWorthRepeating(agent.attempt)) return result
      const wait = waitMilliseconds(repetition, agent.attempt.retryAfterMilliseconds, random())
      if (clock.monotonicTime() + wait >= deadline) return result
      await pause(wait, aborted.signal)
      meters.repeated(signal)
    }
  }

  function attempt(items: T): Promise<ExportResult> {
    return new Promise((resolve) => {
      try {
        exporter.export(items, ({ code, error }) => {
          // A response that starts as a success but does not complete counts as a success.
          if (code === 0 || isSuccess(agent.attempt)) resolve({ code: 0 })
          else resolve({ code: 1, error: deliveryFailure(agent.attempt, error) })
        })
      } catch (error) {
        resolve({ code: 1, error: deliveryFailure(agent.attempt, error) })
      }
    })
  }

  function settle(items: T, { code, error }: ExportResult): void {
    const size = count(items)
    if (code === 1) {
      meters.failed(signal, size)
      const { status } = agent.attempt
      losses.add('failed', size, `${error?.message ?? 'unknown'}${status === 404 || status === 405 ? hint : ''}`)
      return
    }
    const { rejected = 0, message = '' } = agent.attempt.partialSuccess ?? {}
    meters.exported(signal, Math.max(0, size - rejected))
    if (rejected > 0) {
      meters.rejected(signal, rejected)
      losses.add('rejected', rejected, message)
    } else if (message !== '') losses.warn(message)
    // Failed spans are retried with the next export; failed metrics are part of its sums.
    if (signal === 'metrics') losses.recover()
    acknowledge?.(items)
  }

  return {
    export(items, done) {
      const handedOver = clock.monotonicTime()
      // Outside the context of the request that completed a batch or started its timer: counting is not part of that
      // trace.
      withoutTracing(() => {
        latest = latest.then(async () => {
          const result = await deliver(items, handedOver)
          settle(items, result)
          done(result)
        })
      })
      // Only filters and report functions of the application can throw here, which must not stop deliveries.
      latest = latest.catch((error: unknown) => done({ code: 1, error: deliveryFailure(agent.attempt, error) }))
    },
    idle: () => latest,
    abort() {
      aborted.abort()
      agent.abort()
    },
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(end, Math.min(milliseconds, maxDelay))
    signal.addEventListener('abort', end)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}

/**
 * Runs work without tracing it, even if upkeep traces without an SDK, whose context OpenTelemetry does not know.
 */
function withoutTracing<T>(work: () => T): T {
  const tracing = currentTracing()
  return tracing === undefined ? work() : tracing.storage.run(suppressed, work)
}
