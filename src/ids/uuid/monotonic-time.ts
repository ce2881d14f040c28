import { type Clock, systemClock } from '../../base/clock.ts'
import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { argumentOutOfRange, withErrorCode } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { RandomSource } from '../random.ts'

/** Options of UUIDs of versions 1, 6 and 7, which increase monotonically. */
export interface OrderedUuidOptions {
  /** @default systemClock */
  readonly clock?: Clock
  /** @default node:crypto */
  readonly random?: RandomSource
  /**
   * How far the clock may be behind the latest UUID for the next one to reuse its time, which preserves the order.
   *
   * @default '10s'
   */
  readonly toleratedStepBack?: Duration
  /**
   * What to do if the clock is further behind. `restart` continues from the time of the clock: UUIDs are still unique,
   * but not ordered after earlier ones. `throw` throws a RangeError until the clock has caught up.
   *
   * @default 'restart'
   */
  readonly beyondStepBack?: 'restart' | 'throw'
}

/** @throws TypeError that starts with the name of the caller if there is an unknown option. */
export function checkUuidOptions(caller: string, options: OrderedUuidOptions): void {
  requireKnownOptions(caller, options, ['clock', 'random', 'toleratedStepBack', 'beyondStepBack'], {
    foreignNames: { rng: 'random', msecs: 'clock', now: 'clock' },
  })
}

/** The range of the time of a version. */
interface TimeField {
  /** The last millisecond since 1970. */
  readonly lastMillisecond: number
  /** The highest count within a millisecond. */
  readonly highestCount: number
  /** Returns the first count of a new millisecond. */
  readonly firstCount: () => number
}

/**
 * A time in milliseconds since 1970 and a count within it, which together increase with each `advance`. While the clock
 * does not advance, or after it was set back, the count increases. When the count is exhausted, the time is
 * incremented, ahead of the clock. RFC 9562 §6.2, method 1.
 */
export class MonotonicTime {
  readonly #clock: Clock
  readonly #field: TimeField
  /** A copy of that of the field: reading it from there makes `advance` slower. */
  readonly #highestCount: number
  readonly #toleratedStepBack: number
  readonly #beyondStepBack: 'restart' | 'throw'
  /** What the clock returned last. */
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

  /** How often the time has restarted, which broke the order. */
  get restarts(): number {
    return this.#restarts
  }

  /** @throws RangeError if the time of the clock is out of range, or too far behind with `throw`. */
  advance(): void {
    const reading = this.#clock.wallTime()
    // The fast path, which is inlined: several UUIDs in one millisecond.
    if (reading === this.#reading && this.#count < this.#highestCount) this.#count += 1
    else this.#follow(reading)
  }

  #follow(reading: number): void {
    const now = Math.floor(reading)
    if (!(now >= 0 && now <= this.#field.lastMillisecond)) {
      throw argumentOutOfRange(
        `clock: expected a time from 0 to ${this.#field.lastMillisecond} ms, received ${reading}`,
      )
    }
    const behind = this.#millisecond - now
    if (behind < 0) this.#startMillisecond(now)
    else if (behind <= this.#toleratedStepBack) this.#incrementCount()
    else this.#restart(now, behind)
    this.#reading = reading
  }

  #startMillisecond(millisecond: number): void {
    if (millisecond > this.#field.lastMillisecond) {
      throw withErrorCode(
        new RangeError(`no UUID is left in the last millisecond, ${this.#field.lastMillisecond}`),
        'UPKEEP_ECLOCK',
      )
    }
    this.#millisecond = millisecond
    this.#count = this.#field.firstCount()
  }

  #incrementCount(): void {
    if (this.#count < this.#highestCount) this.#count += 1
    else this.#startMillisecond(this.#millisecond + 1)
  }

  #restart(now: number, behind: number): void {
    if (this.#beyondStepBack === 'throw') {
      throw withErrorCode(
        new RangeError(`the clock is ${behind} ms behind the latest UUID, more than toleratedStepBack`),
        'UPKEEP_ECLOCK',
      )
    }
    this.#startMillisecond(now)
    this.#restarts += 1
  }
}
