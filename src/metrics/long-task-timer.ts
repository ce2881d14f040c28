import type { Clock } from '../base/clock.ts'
import { onSettled } from '../base/settled-work.ts'
import type { BucketFinder } from './distribution/bucket-finder.ts'
import { firstPlace } from './distribution/figures.ts'
import type { Meter, StoredMeter } from './meter.ts'
import type { Series } from './series/series.ts'
import type { LongTaskTimerSnapshot } from './snapshot.ts'

/** How many tasks run at this moment, and for how long they have been running. */
export interface LongTaskTimer extends Meter {
  start(): LongTask
  /** Counts a function as running until it returns, until its promise settles, or until its generator ends. */
  time<R>(work: () => R): R
  readonly activeTasks: number
  /** Seconds, of all running tasks together. */
  readonly duration: number
  /** Seconds, of the task that has been running for the longest. */
  readonly max: number
}

export interface LongTask {
  /** Seconds since the start; after the stop, how long it took. */
  readonly duration: number
  /** Ends the task; returns how long it took, in seconds. A second call changes nothing. */
  stop(): number
}

export interface LongTaskSetup {
  readonly clock: Clock
  readonly bounds: readonly number[]
  readonly finder: BucketFinder | undefined
}

export class ActiveTaskTimer implements LongTaskTimer, StoredMeter {
  readonly id: Series
  readonly #setup: LongTaskSetup
  readonly #active = new Set<LongTask>()
  #started = 0

  constructor(id: Series, setup: LongTaskSetup) {
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

  /** A task that still runs is use, so that no expiry takes it for idle. */
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
