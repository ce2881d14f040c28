import type { IntervalHistogram } from 'node:perf_hooks'
import { type Clock, systemClock } from '../../base/clock.ts'
import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { formatLatency } from './latency.ts'

const hooks = lazy(() => process.getBuiltinModule('node:perf_hooks'))

/** How an event loop did of late. */
export interface EventLoopReading {
  /** The share of the time that it was busy, from 0 to 1. */
  readonly utilization: number
  /** How late it came to its timers: the 99th percentile. */
  readonly delayMilliseconds: number
  readonly maxDelayMilliseconds: number
}

export interface EventLoopOptions {
  /** Which share of the time the loop may be busy, from 0 to 1. @default 0.98 */
  readonly maxUtilization?: number | undefined
  /** How late the loop may come to its timers, but for one in a hundred. @default '1s' */
  readonly maxDelay?: Duration | undefined
  /** How long the loop is watched at least before it is judged. @default '1s' */
  readonly window?: Duration | undefined
  /** Reads the loop. @default that of this thread */
  readonly read?: (() => EventLoopReading) | undefined
  readonly clock?: Clock | undefined
}

/** Reads the loop, until it is closed. */
interface LoopReader {
  (): EventLoopReading
  readonly close?: () => void
}

/**
 * `UP` while the event loop keeps up, over the time since the last checks; `UNKNOWN` until it was watched for a window.
 * Details: `utilization` from 0 to 1, `delay` (99th percentile) and `longestDelay`, with `maxUtilization` and `maxDelay`.
 *
 * @throws RangeError when a threshold is none.
 */
export function eventLoop({
  maxUtilization = 0.98,
  maxDelay = '1s',
  window = '1s',
  read,
  clock = systemClock,
}: EventLoopOptions = {}): HealthCheck {
  if (!(maxUtilization >= 0 && maxUtilization <= 1)) {
    throw new RangeError(`maxUtilization must be a share from 0 to 1, not ${maxUtilization}`)
  }
  const maxDelayMilliseconds = durationMilliseconds(maxDelay, 'maxDelay')
  const windowMilliseconds = durationMilliseconds(window, 'window')
  const reader: LoopReader = read ?? createReader()
  let readAt = clock.monotonicTime()
  let reading: EventLoopReading | undefined

  const check = () => {
    // A moment is no measure: while a check runs the loop is busy with it.
    if (clock.monotonicTime() - readAt >= windowMilliseconds) {
      readAt = clock.monotonicTime()
      reading = reader()
    }
    if (reading === undefined) {
      return { status: 'UNKNOWN', details: { maxUtilization, maxDelay } }
    }
    const isFree = reading.utilization <= maxUtilization && reading.delayMilliseconds <= maxDelayMilliseconds
    return {
      status: isFree ? 'UP' : 'DOWN',
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

/** Reads this thread's loop: its utilization since the last reading of the same reader, its delay since the one before. */
function createReader(): LoopReader {
  // Two in turn, for one that begins anew misses the delay that is under way.
  let [older, newer]: (IntervalHistogram | undefined)[] = [watchIntervals(), watchIntervals()]
  let last = hooks().performance.eventLoopUtilization()

  const read = () => {
    const now = hooks().performance.eventLoopUtilization()
    const { utilization } = hooks().performance.eventLoopUtilization(now, last)
    const known = older !== undefined && older.count > 0 ? older : undefined
    const reading = {
      utilization,
      delayMilliseconds: known === undefined ? 0 : delayOf(known.percentile(99)),
      maxDelayMilliseconds: known === undefined ? 0 : delayOf(known.max),
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

function watchIntervals(): IntervalHistogram {
  const intervals = hooks().monitorEventLoopDelay({ resolution })
  intervals.enable()
  return intervals
}

/** What is recorded is the time from one timer to the next, in nanoseconds; the delay is what it exceeds the plan by. */
function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - resolution)
}
