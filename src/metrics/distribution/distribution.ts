import { errorName, onSettled } from '../../base/settled-work.ts'
import type { StoredMeter } from '../meter.ts'
import type { Series } from '../series/series.ts'
import type { DistributionSnapshot } from '../snapshot.ts'
import type { Summary } from '../summary.ts'
import { type Sample, type Timer, TimerSample } from '../timer.ts'
import type { BucketFinder } from './bucket-finder.ts'
import { DistributionDetail } from './distribution-detail.ts'
import type { DistributionSetup } from './distribution-setup.ts'
import { copyFigures, countsOf, type Figures, maximumOf, rotateMaxima, sumOfCounts } from './figures.ts'
import type { RollingWindow } from './rolling-window.ts'

/**
 * A timer or a summary: count, total and maximum of what was recorded, and how it was distributed as far as the setup asks for
 * it. One class for both and no object inside it for what nearly all have, since every step to another object is paid at
 * each record.
 */
export class Distribution implements Timer, Summary, StoredMeter {
  readonly id: Series
  readonly #setup: DistributionSetup
  readonly #window: RollingWindow
  readonly #figures: Figures
  /** All that has more to do at a record than count, total and maximum has one of these. */
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

  start(): Sample {
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

  /** Moves the maxima on by as many rotations as have begun. Not private, since private methods cost each instance a field. */
  rotate(): void {
    const epoch = this.#window.current()
    const passed = epoch - this.#epoch
    if (passed <= 0) return
    this.#epoch = epoch
    rotateMaxima(this.#figures, this.#setup.buckets, passed)
    this.#detail?.rotate(passed)
  }
}

/** Not by `typeof`, by which a record took longer on Node 24. What is no number is none by being made one, or cannot be. */
function isNumber(value: number): boolean {
  try {
    return value === +value
  } catch {
    return false
  }
}
