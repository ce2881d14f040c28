import { onSettled } from '../base/settled-work.ts'
import type { DistributionDefaults } from './distribution/distribution-options.ts'
import type { DistributionSetup } from './distribution/distribution-setup.ts'
import { firstPlace } from './distribution/figures.ts'
import type { Meter, StoredMeter } from './meter.ts'
import type { MeterKind } from './meter-kind.ts'
import type { Series } from './series/series.ts'
import type { LongTaskTimerSnapshot } from './snapshot.ts'
import type { TimerOptions } from './timer.ts'

/** How many tasks are running, and for how long they have been running. */
export interface LongTaskTimer extends Meter {
  /** Starts a task, which runs until its `stop`. */
  start(): LongTask
  /** Calls a function, as a task that runs until it returns, its promise settles, or its generator ends. */
  time<R>(work: () => R): R
  readonly activeTasks: number
  /** The sum over all running tasks, in seconds. */
  readonly duration: number
  /** The duration of the task that has been running for the longest, in seconds. */
  readonly max: number
}

/** A task of a long task timer. */
export interface LongTask {
  /** Seconds since the start; after the stop, how long the task took. */
  readonly duration: number
  /** Ends the task and returns how long it took, in seconds. A second call has no effect. */
  stop(): number
}

export const longTaskTimerKind: MeterKind<LongTaskTimer & StoredMeter, TimerOptions> = {
  name: 'longTaskTimer',
  baseUnit: 'seconds',
  overflows: true,
  create: (series, options, { setupOf }) => new ActiveTaskTimer(series, setupOf(options, longTaskDefaults)),
}

const longTaskDefaults: DistributionDefaults = {
  kind: 'timer',
  minimumExpectedValue: 120,
  maximumExpectedValue: 7_200,
  unitsOfPercentileBuckets: 1e9,
}

class ActiveTaskTimer implements LongTaskTimer, StoredMeter {
  readonly id: Series
  readonly #setup: DistributionSetup
  readonly #active = new Set<LongTask>()
  #started = 0

  constructor(id: Series, setup: DistributionSetup) {
    this.id = id
    this.#setup = setup
  }

  start(): LongTask {
    const { clock } = this.#setup
    const active = this.#active
    const startedAt = clock.monotonicTime()
    let took: number | undefined
    const task: LongTask = {
      get duration() {
        return took ?? (clock.monotonicTime() - startedAt) / 1_000
      },
      stop() {
        took = task.duration
        active.delete(task)
        return took
      },
    }
    active.add(task)
    this.#started += 1
    return task
  }

  time<R>(work: () => R): R {
    const task = this.start()
    return onSettled(work, () => task.stop())
  }

  get activeTasks(): number {
    return this.#active.size
  }

  get duration(): number {
    return this.#durations().reduce((sum, duration) => sum + duration, 0)
  }

  get max(): number {
    return this.#durations().reduce((longest, duration) => Math.max(longest, duration), 0)
  }

  /** NaN, which equals nothing, while a task is running: such a timer is never idle. */
  activity(): number {
    return this.#active.size > 0 ? Number.NaN : this.#started
  }

  snapshot(): LongTaskTimerSnapshot {
    const { bounds, finder } = this.#setup
    const durations = this.#durations()
    const counts = new Array<number>(bounds.length + 1).fill(0)
    if (finder !== undefined) {
      for (const duration of durations) {
        const bucket = finder.placeOf(duration) - firstPlace
        counts[bucket] = (counts[bucket] as number) + 1
      }
    }
    return {
      kind: 'longTaskTimer',
      id: this.id,
      activeTasks: durations.length,
      duration: durations.reduce((sum, duration) => sum + duration, 0),
      max: durations.reduce((longest, duration) => Math.max(longest, duration), 0),
      buckets: finder && { bounds, counts },
    }
  }

  #durations(): number[] {
    return [...this.#active].map(({ duration }) => duration)
  }
}
