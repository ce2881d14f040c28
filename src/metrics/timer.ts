import type { Clock } from '../base/clock.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { Distribution } from './distribution/distribution.ts'
import {
  checkExponential,
  type DistributionDefaults,
  type DistributionOptions,
  distributionForeignNames,
  distributionOptions,
} from './distribution/distribution-options.ts'
import { type Meter, meterForeignNames, type StoredMeter } from './meter.ts'
import type { MeterKind } from './meter-kind.ts'

/** How often something was done and how long it took, in seconds. */
export interface Timer extends Meter {
  /**
   * Records a duration, in seconds. One that is negative, NaN or infinite is dropped and counted in
   * `upkeep.meters.dropped`.
   */
  record(seconds: number): void
  /**
   * Calls a function and records how long it took: until it returns, its promise settles, or its generator ends.
   * Returns or throws what the function does. If it fails, the duration is recorded by the timer with the same name and
   * tags and the tag `error`, whose value is the error's name.
   */
  time<R>(work: () => R): R
  /** Starts a measurement, which `stop` records. */
  start(): Sample
  readonly count: number
  /** Seconds. */
  readonly total: number
  /** The maximum of the rolling window, in seconds; 0 if nothing was recorded. */
  readonly max: number
  /** Seconds; 0 if nothing was recorded. */
  readonly mean: number
}

/** A measurement in progress. */
export interface Sample {
  /** Records the time since the start, in seconds, and returns it. Default: the timer that was started. */
  stop(timer?: Timer): number
}

/** A measurement in progress whose timer is chosen at its end. */
export interface UnboundSample {
  /** Records the time since the start, in seconds, and returns it. */
  stop(timer: Timer): number
}

/** Options of a timer or long task timer. They are ignored if the meter exists already. */
export interface TimerOptions extends DistributionOptions {
  /** One sentence for readers of the metrics, such as in `# HELP` of Prometheus. */
  readonly description?: string | undefined
}

/** @throws TypeError that starts with `where` if there is an unknown option. */
export function checkTimerNames(where: string, options: TimerOptions): void {
  requireKnownOptions(where, options, ['description', ...distributionOptions], {
    foreignNames: {
      ...meterForeignNames,
      ...distributionForeignNames,
      baseUnit: baseUnitOfTimers,
      unit: baseUnitOfTimers,
    },
  })
  checkExponential(where, options)
}

const baseUnitOfTimers = 'the base unit of timers is seconds'

export const timerKind: MeterKind<Timer & StoredMeter, TimerOptions> = {
  name: 'timer',
  baseUnit: 'seconds',
  overflows: true,
  checkNames: checkTimerNames,
  create: (series, options, { setupOf }) => new Distribution(series, setupOf(options, timerDefaults)),
}

const timerDefaults: DistributionDefaults = {
  kind: 'timer',
  minimumExpectedValue: 0.001,
  maximumExpectedValue: 30,
  unitsOfPercentileBuckets: 1e9,
}

/** Starts a measurement for a timer that is not known yet. */
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
