import type { Clock } from '../base/clock.ts'
import { onSettled } from '../base/settled-work.ts'
import { type ActiveTask, ActiveTasks } from './active-tasks.ts'
import type { DistributionDefaults } from './distribution/distribution-options.ts'
import type { DistributionSetup } from './distribution/distribution-setup.ts'
import { firstPlace } from './distribution/figures.ts'
import { type BucketLayout, type Meter, type StoredMeter, setCell } from './meter.ts'
import type { MeterKind } from './meter-kind.ts'
import type { Series } from './series/series.ts'
import type { LongTaskTimerSnapshot } from './snapshot.ts'
import { checkTimerNames, type TimerOptions } from './timer.ts'

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
  checkNames: checkTimerNames,
  create: (series, options, { setupOf }) => new ActiveTaskTimer(series, setupOf(options, longTaskDefaults)),
}

const longTaskDefaults: DistributionDefaults = {
  kind: 'timer',
  minimumExpectedValue: 120,
  maximumExpectedValue: 7_200,
  unitsOfPercentileBuckets: 1e9,
}

/** Returns the list of running tasks of a timer, for callers that store their tasks themselves. */
export function activeTasksOf(timer: LongTaskTimer): ActiveTasks {
  return timer instanceof ActiveTaskTimer ? timer.tasks : new ActiveTasks()
}

class ActiveTaskTimer implements LongTaskTimer, StoredMeter {
  readonly id: Series
  readonly tasks: ActiveTasks = new ActiveTasks()
  readonly #setup: DistributionSetup

  constructor(id: Series, setup: DistributionSetup) {
    this.id = id
    this.#setup = setup
  }

  start(): LongTask {
    const task = new StartedTask(this.#setup.clock, this.tasks)
    this.tasks.add(task)
    return task
  }

  time<R>(work: () => R): R {
    const task = this.start()
    return onSettled(work, () => task.stop())
  }

  get activeTasks(): number {
    return this.tasks.count
  }

  get duration(): number {
    return sumOf(this.#durations())
  }

  get max(): number {
    return longestOf(this.#durations())
  }

  /** NaN, which equals nothing, while a task is running: such a timer is never idle. */
  activity(): number {
    return this.tasks.count > 0 ? Number.NaN : this.tasks.started
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
      duration: sumOf(durations),
      max: longestOf(durations),
      buckets: finder && { bounds, counts },
    }
  }

  copyTo(cells: Float64Array, place: number): boolean {
    const { activeTasks, duration, max, buckets } = this.snapshot()
    const isCounted = setCell(cells, place + 2, activeTasks)
    const isSummed = setCell(cells, place, duration)
    const isMaximum = setCell(cells, place + 1, max)
    if (this.#setup.bounds.length > 0) cells.set(buckets?.counts ?? [], place + 3)
    return isCounted || isSummed || isMaximum
  }

  bucketLayout(): BucketLayout {
    return { bounds: this.#setup.bounds, exponentialBuckets: undefined }
  }

  #durations(): number[] {
    return this.tasks.durations(this.#setup.clock.monotonicTime())
  }
}

class StartedTask implements LongTask, ActiveTask {
  readonly startedAt: number
  slot: number = -1
  readonly #clock: Clock
  readonly #tasks: ActiveTasks
  #took: number | undefined = undefined

  constructor(clock: Clock, tasks: ActiveTasks) {
    this.#clock = clock
    this.#tasks = tasks
    this.startedAt = clock.monotonicTime()
  }

  get duration(): number {
    return this.#took ?? (this.#clock.monotonicTime() - this.startedAt) / 1_000
  }

  stop(): number {
    this.#took = this.duration
    this.#tasks.remove(this)
    return this.#took
  }
}

function sumOf(durations: readonly number[]): number {
  return durations.reduce((sum, duration) => sum + duration, 0)
}

function longestOf(durations: readonly number[]): number {
  return durations.reduce((longest, duration) => Math.max(longest, duration), 0)
}
