import type { IntervalHistogram } from 'node:perf_hooks'
import { type Clock, systemClock } from '../../base/clock.ts'
import { describeValue } from '../../base/describe-value.ts'
import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { formatLatency } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'

const hooks = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:perf_hooks'))

/** The load of an event loop during a period. */
export interface EventLoopReading {
  /** The share of the time in which it was busy, from 0 to 1. */
  readonly utilization: number
  /** The delay of timers: the 99th percentile. */
  readonly delayMilliseconds: number
  readonly maxDelayMilliseconds: number
}

/** Options of `eventLoop`. */
export interface EventLoopOptions {
  /** The maximum share of the time in which the loop is busy, from 0 to 1. @default 0.98 */
  readonly maxUtilization?: number | undefined
  /** The maximum 99th percentile of the delay of timers. @default '1s' */
  readonly maxDelay?: Duration | undefined
  /** The minimum duration of a measurement. @default '1s' */
  readonly window?: Duration | undefined
  /** Reads the load since the last call. @default that of this thread */
  readonly read?: (() => EventLoopReading) | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** Reads the load since the last call. `close` stops the measurement. */
interface LoopReader {
  (): EventLoopReading
  readonly close?: () => void
}

/**
 * `UP` while the load of the event loop since the last checks is below the thresholds; `UNKNOWN` during the first
 * window. Details: `utilization` from 0 to 1, `delay` (99th percentile) and `longestDelay`, with `maxUtilization` and
 * `maxDelay`.
 *
 * @throws RangeError if a threshold is invalid.
 */
export function eventLoop(options: EventLoopOptions = {}): HealthCheck {
  checkIndicatorOptions('eventLoop', options, ['maxUtilization', 'maxDelay', 'window', 'read', 'clock'], {
    threshold: 'maxDelay',
    utilization: 'maxUtilization',
  })
  const { maxUtilization = 0.98, maxDelay = '1s', window = '1s', read, clock = systemClock } = options
  if (!(maxUtilization >= 0 && maxUtilization <= 1)) {
    throw optionOutOfRange(
      `eventLoop: maxUtilization: expected a number from 0 to 1, received ${describeValue(maxUtilization)}`,
    )
  }
  const maxDelayMilliseconds = durationMilliseconds(maxDelay, 'eventLoop: maxDelay')
  const windowMilliseconds = durationMilliseconds(window, 'eventLoop: window')
  const reader: LoopReader = read ?? createReader()
  let readAt = clock.monotonicTime()
  let reading: EventLoopReading | undefined

  const check = () => {
    // A shorter period would mostly measure the check itself.
    if (clock.monotonicTime() - readAt >= windowMilliseconds) {
      readAt = clock.monotonicTime()
      reading = reader()
    }
    if (reading === undefined) {
      return { status: 'UNKNOWN', details: { maxUtilization, maxDelay } }
    }
    const isUp = reading.utilization <= maxUtilization && reading.delayMilliseconds <= maxDelayMilliseconds
    return {
      status: isUp ? 'UP' : 'DOWN',
      details: {
        utilization: Math.round(reading.utilization * 1_000) / 1_000,
        maxUtilization,
        delay: formatLatency(reading.delayMilliseconds),
        longestDelay: formatLatency(reading.maxDelayMilliseconds),
        maxDelay,
      },
    }
  }
  return Object.assign(check, { close: () => reader.close?.() })
}

const resolution = 20

/** Reads the loop of this thread: its utilization since the last reading, its delay since the one before. */
function createReader(): LoopReader {
  // Two alternating histograms, because one that has just been reset misses the current delay.
  let [older, newer]: (IntervalHistogram | undefined)[] = [recordIntervals(), recordIntervals()]
  let last = hooks().performance.eventLoopUtilization()

  const read = () => {
    const now = hooks().performance.eventLoopUtilization()
    const { utilization } = hooks().performance.eventLoopUtilization(now, last)
    const recorded = older !== undefined && older.count > 0 ? older : undefined
    const reading = {
      utilization,
      delayMilliseconds: recorded === undefined ? 0 : delayOf(recorded.percentile(99)),
      maxDelayMilliseconds: recorded === undefined ? 0 : delayOf(recorded.max),
    }
    last = now
    older?.reset()
    ;[older, newer] = [newer, older]
    return reading
  }
  const close = () => {
    for (const intervals of [older, newer]) intervals?.disable()
    older = undefined
    newer = undefined
  }
  return Object.assign(read, { close })
}

function recordIntervals(): IntervalHistogram {
  const intervals = hooks().monitorEventLoopDelay({ resolution })
  intervals.enable()
  return intervals
}

/** Converts the recorded time between two timers, in nanoseconds, to the delay of the second one in milliseconds. */
function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - resolution)
}
