import { type Clock, systemClock } from '../../base/clock.ts'
import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import type { RandomSource } from '../random.ts'

/** What ids of versions 1, 6 and 7 are made of, and how they keep their order. */
export interface OrderedUuidOptions {
  /** @default systemClock */
  readonly clock?: Clock
  /** @default node:crypto */
  readonly random?: RandomSource
  /**
   * How far the clock may stand behind the latest id for the next one to stay in order, with the time of that latest.
   *
   * @default '10s'
   */
  readonly toleratedStepBack?: Duration
  /**
   * What is done when the clock stands further back. `restart`: ids go on from where the clock stands, no longer in
   * order with the earlier ones, yet as unique. `throw`: a RangeError, for as long as the clock is not back in bounds.
   *
   * @default 'restart'
   */
  readonly beyondStepBack?: 'restart' | 'throw'
}

/** What a version has room for. */
export interface TimeField {
  /** The last millisecond since 1970 that it can hold. */
  readonly lastMillisecond: number
  /** The highest count within a millisecond. */
  readonly highestCount: number
  /** Where the count of a new millisecond begins. */
  readonly firstCount: () => number
}

/**
 * A time in milliseconds since 1970 and a count within it, that together rise with each `advance`. While the clock
 * stands still or has stepped back, the time stays and the count rises; from its end it moves on to the next
 * millisecond, ahead of the clock. RFC 9562 §6.2, method 1.
 */
export class MonotonicTime {
  readonly #clock: Clock
  readonly #field: TimeField
  readonly #highestCount: number
  readonly #toleratedStepBack: number
  readonly #beyondStepBack: 'restart' | 'throw'
  #reading = Number.NaN
  #millisecond = -1
  #count = 0
  #restarts = 0

  constructor(
    { clock = systemClock, toleratedStepBack = '10s', beyondStepBack = 'restart' }: OrderedUuidOptions,
    field: TimeField,
  ) {
    this.#clock = clock
    this.#field = field
    this.#highestCount = field.highestCount
    this.#toleratedStepBack = durationMilliseconds(toleratedStepBack, 'toleratedStepBack')
    this.#beyondStepBack = beyondStepBack
  }

  get millisecond(): number {
    return this.#millisecond
  }

  get count(): number {
    return this.#count
  }

  /** How often the order was given up. */
  get restarts(): number {
    return this.#restarts
  }

  /** @throws RangeError when the clock shows what the field cannot hold, or stands too far back for `throw`. */
  advance(): void {
    const reading = this.#clock.wallTime()
    if (reading === this.#reading && this.#count < this.#highestCount) this.#count += 1
    else this.#follow(reading)
  }

  #follow(reading: number): void {
    const now = Math.floor(reading)
    if (!(now >= 0 && now <= this.#field.lastMillisecond)) {
      throw new RangeError(`the clock shows ${reading}, not a time from 0 to ${this.#field.lastMillisecond}`)
    }
    const behind = this.#millisecond - now
    if (behind < 0) this.#begin(now)
    else if (behind <= this.#toleratedStepBack) this.#countOn()
    else this.#giveUpOrder(now, behind)
    this.#reading = reading
  }

  #begin(millisecond: number): void {
    if (millisecond > this.#field.lastMillisecond) {
      throw new RangeError(`there is no id after the last of the millisecond ${this.#field.lastMillisecond}`)
    }
    this.#millisecond = millisecond
    this.#count = this.#field.firstCount()
  }

  #countOn(): void {
    if (this.#count < this.#highestCount) this.#count += 1
    else this.#begin(this.#millisecond + 1)
  }

  #giveUpOrder(now: number, behind: number): void {
    if (this.#beyondStepBack === 'throw') {
      throw new RangeError(`the clock stands ${behind} ms behind the latest id, more than is tolerated`)
    }
    this.#begin(now)
    this.#restarts += 1
  }
}
