import type { Clock } from '../base/clock.ts'
import type { Meter } from './meter.ts'

/** How often something was done and how long it took, in seconds. */
export interface Timer extends Meter {
  /** Takes a duration in seconds. One that is negative, NaN or infinite is dropped, and counted in `upkeep.meters.dropped`. */
  record(seconds: number): void
  /**
   * Runs a function and takes how long it took: until it returns, until its promise settles, or until its generator ends.
   * What it returns or throws goes to the caller. When it fails, the duration goes to the timer of the same name and tags
   * with the tag `error`, which holds the error's name.
   */
  time<R>(work: () => R): R
  /** Begins a measurement, which ends with `stop`. */
  start(): Sample
  readonly count: number
  /** Seconds. */
  readonly total: number
  /** Seconds, 0 when nothing was recorded; the longest of the rolling window. */
  readonly max: number
  /** Seconds, 0 when nothing was recorded. */
  readonly mean: number
}

/** A measurement that has begun. */
export interface Sample {
  /** Takes the time since the start into a timer, by default the one that was started; returns it, in seconds. */
  stop(timer?: Timer): number
}

/** A measurement whose timer is not known yet. */
export interface UnboundSample {
  /** Takes the time since the start into a timer; returns it, in seconds. */
  stop(timer: Timer): number
}

export class TimerSample implements Sample {
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #startedAt: number

  constructor(clock: Clock, timer: Timer) {
    this.#clock = clock
    this.#timer = timer
    this.#startedAt = clock.monotonicTime()
  }

  stop(timer: Timer = this.#timer): number {
    const seconds = (this.#clock.monotonicTime() - this.#startedAt) / 1_000
    timer.record(seconds)
    return seconds
  }
}

export function startSample(clock: Clock): UnboundSample {
  const startedAt = clock.monotonicTime()
  return {
    stop(timer) {
      const seconds = (clock.monotonicTime() - startedAt) / 1_000
      timer.record(seconds)
      return seconds
    },
  }
}
