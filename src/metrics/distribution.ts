import { DistributionDetail } from './distribution-detail.ts'
import type { DistributionSetup, Figures } from './distribution-setup.ts'
import type { Series } from './series.ts'
import type { DistributionSnapshot } from './snapshot.ts'

/** Count, total and maximum of what was recorded, and how it was distributed as far as the setup asks for it. */
export class Distribution {
  readonly setup: DistributionSetup
  readonly #figures: Figures
  readonly #detail: DistributionDetail | undefined
  #epoch: number

  constructor(setup: DistributionSetup) {
    this.setup = setup
    this.#figures = setup.blank.slice() as Figures
    this.#detail = setup.detailed ? new DistributionDetail(setup) : undefined
    this.#epoch = setup.window.current()
    setup.window.start()
  }

  /** Takes a finite value of zero or more. */
  record(value: number): void {
    const setup = this.setup
    const figures = this.#figures
    if (this.#epoch !== setup.window.epoch) this.#rotate()
    figures[0] += 1
    figures[1] += value
    if (value > figures[2]) figures[2] = value
    const finder = setup.finder
    let bucket = 0
    if (finder !== undefined) {
      bucket = finder.find(value)
      const at = setup.firstBucket + bucket
      figures[at] = (figures[at] as number) + 1
    }
    if (this.#detail !== undefined) this.#detail.record(value, bucket)
  }

  get count(): number {
    return this.#figures[0]
  }

  get total(): number {
    return this.#figures[1]
  }

  get max(): number {
    this.#rotate()
    return this.#greatest()
  }

  get mean(): number {
    return this.count === 0 ? 0 : this.total / this.count
  }

  snapshot(kind: 'timer' | 'summary', id: Series): DistributionSnapshot {
    const { setup } = this
    if (this.#epoch !== setup.window.epoch) this.#rotate()
    const figures = this.#figures
    const max = this.#greatest()
    const detail = this.#detail
    return {
      kind,
      id,
      count: figures[0],
      total: figures[1],
      max,
      percentiles: detail?.percentiles(max),
      buckets:
        setup.finder === undefined ? undefined : { bounds: setup.bounds, counts: figures.slice(setup.firstBucket) },
      exponential: detail?.exponential(),
      exemplars: detail?.exemplars(),
      created: id.created,
    }
  }

  #greatest(): number {
    let greatest = 0
    for (let at = 2; at < this.setup.firstBucket; at++) greatest = Math.max(greatest, this.#figures[at] as number)
    return greatest
  }

  /** Moves the maxima on by as many rotations as have begun. */
  #rotate(): void {
    const { window, firstBucket } = this.setup
    const epoch = window.current()
    const passed = epoch - this.#epoch
    if (passed <= 0) return
    this.#epoch = epoch
    for (let at = firstBucket - 1; at >= 2; at--) {
      this.#figures[at] = at - passed >= 2 ? (this.#figures[at - passed] as number) : 0
    }
    this.#detail?.rotate(passed)
  }
}
