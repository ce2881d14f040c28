import type { Clock } from '../../base/clock.ts'
import { maxDelay } from '../../base/timers.ts'
import { createAttempt, isSuccess, isWorthRepeating } from './attempt.ts'
import { waitMilliseconds } from './backoff.ts'
import { deliveryFailure } from './delivery-failure.ts'
import type { ExportMeters, Signal } from './export-meters.ts'
import type { LossReport } from './loss-report.ts'
import type { ReceiverAgent } from './receiver-agent.ts'
import { silently } from './silently.ts'

/** The outcome of an export, as OpenTelemetry has it: 0 is success, 1 is not. */
export interface ExportResult {
  readonly code: 0 | 1
  readonly error?: Error
}

/** An exporter of OpenTelemetry, of spans or of metrics. */
export interface Exporter<T> {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void
  shutdown(): Promise<void>
}

export interface DeliveryOptions<T> {
  readonly signal: Signal
  readonly exporter: Exporter<T>
  readonly agent: ReceiverAgent
  /** What is added to the reason of a failure with 404 or 405. */
  readonly hint: string
  /** How many spans or data points there are. */
  readonly count: (items: T) => number
  /** Is told of what has arrived. */
  readonly acknowledge?: ((items: T) => void) | undefined
  /** How long one delivery may take, repetitions included. */
  readonly timeoutMilliseconds: number
  /** How long a delivery may wait for those before it and be under way. */
  readonly patienceMilliseconds: number
  readonly meters: ExportMeters
  readonly losses: LossReport
  readonly clock: Clock
  readonly random: () => number
}

/** Brings to a receiver what it is given, one after another. */
export interface Delivery<T> {
  /** Calls `done` once, whatever happens, in bounded time. Never throws. */
  export(items: T, done: (result: ExportResult) => void): void
  /** Resolves when all that was given is delivered, or has failed. */
  idle(): Promise<void>
  /** Gives up what is under way and what comes. */
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
          // An answer that begins as a success and never ends is one all the same.
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
    // What failed before is sent again with the next export, or is part of its sums.
    if (signal === 'metrics') losses.recover()
    acknowledge?.(items)
  }

  return {
    export(items, done) {
      const handedOver = clock.monotonicTime()
      // Outside of the request that completed a batch, or armed its timer: what is counted here is not part of its trace.
      silently(() => {
        latest = latest.then(async () => {
          const result = await deliver(items, handedOver)
          settle(items, result)
          done(result)
        })
      })
      // Nothing above throws but what a filter or a report of the application's does, and that must not end deliveries.
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
