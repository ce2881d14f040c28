import type { Clock } from '../../base/clock.ts'
import { errorName, onSettled } from '../../base/settled-work.ts'
import type { BucketLayout, StoredMeter } from '../meter.ts'
import type { Series } from '../series/series.ts'
import type { DistributionSnapshot, Exemplar } from '../snapshot.ts'
import type { BucketFinder } from './bucket-finder.ts'
import { DistributionDetail } from './distribution-detail.ts'
import type { DistributionSetup } from './distribution-setup.ts'
import { defaultBuckets } from './exponential-counts.ts'
import { copyFigures, copyToCells, countsOf, type Figures, maximumOf, rotateMaxima, sumOfCounts } from './figures.ts'
import type { RollingWindow } from './rolling-window.ts'

/**
 * A timer or a summary: count, total and maximum of what was recorded and, depending on the setup, its distribution.
 *
 * One class for both, without an object for what nearly all of them have: each further object is one more memory access
 * at each record.
 */
export class Distribution implements StoredMeter {
  readonly id: Series
  readonly #setup: DistributionSetup
  readonly #window: RollingWindow
  readonly #figures: Figures
  /** Defined if more is recorded than count, total and maximum. */
  readonly #finder: BucketFinder | undefined
  #detail: DistributionDetail | undefined
  #epoch: number

  constructor(id: Series, setup: DistributionSetup) {
    this.id = id
    this.#setup = setup
    this.#window = setup.window
    this.#figures = copyFigures(setup.blank)
    this.#finder = setup.finder
    this.#detail = setup.detailed ? new DistributionDetail(setup) : undefined
    this.#epoch = setup.window.current()
    setup.window.start()
  }

  record(value: number): void {
    const figures = this.#figures
    if (this.#epoch !== this.#window.epoch) this.rotate()
    if (value > figures[1]) {
      if (value === Number.POSITIVE_INFINITY || typeof value !== 'number') {
        this.#setup.drop(this.id)
        return
      }
      figures[1] = value
    } else if (value < 0 || !isNumber(value)) {
      this.#setup.drop(this.id)
      return
    }
    figures[0] += value
    const finder = this.#finder
    if (finder === undefined) {
      figures[2] += 1
      return
    }
    const place = finder.placeOf(value)
    figures[place] = (figures[place] as number) + 1
    if (this.#detail !== undefined) this.#detail.record(value, place)
    else if (this.#setup.exemplars?.isOn) {
      this.#detail = new DistributionDetail(this.#setup)
      this.#detail.record(value, place)
    }
  }

  time<R>(work: () => R): R {
    const { clock, timerOfError, options } = this.#setup
    const startedAt = clock.monotonicTime()
    return onSettled(work, (failed, error) => {
      const seconds = (clock.monotonicTime() - startedAt) / 1_000
      const timer = failed ? timerOfError(this.id, errorName(error), options) : undefined
      if (timer === undefined) this.record(seconds)
      else timer.record(seconds)
    })
  }

  start(): TimerSample {
    return new TimerSample(this.#setup.clock, this)
  }

  get count(): number {
    return sumOfCounts(this.#figures, this.#setup.buckets)
  }

  get total(): number {
    return this.#figures[0]
  }

  get max(): number {
    this.rotate()
    return maximumOf(this.#figures, this.#setup.buckets)
  }

  get mean(): number {
    return this.count === 0 ? 0 : this.total / this.count
  }

  activity(): number {
    return this.count
  }

  snapshot(): DistributionSnapshot {
    if (this.#epoch !== this.#window.epoch) this.rotate()
    const { kind, bounds, buckets } = this.#setup
    const figures = this.#figures
    const detail = this.#detail
    const max = maximumOf(figures, buckets)
    return {
      kind,
      id: this.id,
      count: sumOfCounts(figures, buckets),
      total: figures[0],
      max,
      percentiles: detail?.percentiles(max),
      buckets: bounds.length === 0 ? undefined : { bounds, counts: countsOf(figures, buckets) },
      exponential: detail?.exponential(),
      exemplars: detail?.exemplars(),
      created: this.id.created,
    }
  }

  copyTo(cells: Float64Array, place: number): boolean {
    if (this.#epoch !== this.#window.epoch) this.rotate()
    const { buckets, exponential } = this.#setup
    const changed = copyToCells(this.#figures, buckets, cells, place)
    if (changed && exponential !== undefined) {
      this.#detail?.copyExponential(cells, place + (buckets > 1 ? 3 + buckets : 3))
    }
    return changed
  }

  bucketLayout(): BucketLayout {
    const { bounds, exponential } = this.#setup
    return { bounds, exponentialBuckets: exponential && (exponential.maximumBuckets ?? defaultBuckets) }
  }

  exemplars(): readonly (Exemplar | undefined)[] | undefined {
    return this.#detail?.exemplars()
  }

  /**
   * Shifts the maxima by the rotations that have begun. Not `#private`, because private methods cost each instance a
   * field.
   */
  rotate(): void {
    const epoch = this.#window.current()
    const passed = epoch - this.#epoch
    if (passed <= 0) return
    this.#epoch = epoch
    rotateMaxima(this.#figures, this.#setup.buckets, passed)
    this.#detail?.rotate(passed)
  }
}

/** Not by `typeof`, with which a record takes longer on Node 24: converted to a number, only a number equals itself. */
function isNumber(value: number): boolean {
  try {
    return value === +value
  } catch {
    return false
  }
}

/** A measurement of a timer: starts now, and is recorded by `stop`. */
class TimerSample {
  readonly #clock: Clock
  readonly #timer: Recorder
  readonly #startedAt: number

  constructor(clock: Clock, timer: Recorder) {
    this.#clock = clock
    this.#timer = timer
    this.#startedAt = clock.monotonicTime()
  }

  stop(timer: Recorder = this.#timer): number {
    const seconds = (this.#clock.monotonicTime() - this.#startedAt) / 1_000
    timer.record(seconds)
    return seconds
  }
}

interface Recorder {
  record(seconds: number): void
}
