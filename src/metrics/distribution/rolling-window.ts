import { type Clock, systemClock } from '../../base/clock.ts'

const longestDelay = 2 ** 31 - 1

/**
 * The time that maxima and percentiles look back over, as a number of equal rotations of which the oldest is dropped when a
 * new one begins: of three rotations of a minute, one sees the last two to three minutes.
 *
 * Meters compare `epoch` at each record, which must not cost a clock. With the system's clock a timer advances it, late when
 * the event loop is blocked. A clock that was handed in is moved by someone else at any time, so then `epoch` equals nothing
 * and every record asks `current`.
 */
export class RollingWindow {
  readonly rotations: number
  /** The number of the present rotation, or -1 when it has to be asked for. */
  epoch: number

  readonly #clock: Clock
  readonly #rotationMilliseconds: number
  readonly #origin: number
  readonly #ticks: boolean
  #stopped = false
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(clock: Clock, rotations: number, rotationMilliseconds: number) {
    this.#clock = clock
    this.rotations = rotations
    this.#rotationMilliseconds = rotationMilliseconds
    this.#origin = clock.monotonicTime()
    this.#ticks = clock === systemClock
    this.epoch = this.#ticks ? 0 : -1
  }

  /** The number of the present rotation, by the clock. */
  current(): number {
    const epoch = Math.floor(this.#elapsed() / this.#rotationMilliseconds)
    if (this.#ticks) this.epoch = epoch
    return epoch
  }

  /** Begins to advance; without effect when it does already, or was stopped. */
  start(): void {
    if (this.#ticks && this.#timer === undefined && !this.#stopped) this.#scheduleNext()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #scheduleNext(): void {
    const untilNext = (this.current() + 1) * this.#rotationMilliseconds - this.#elapsed()
    // One millisecond more, since a timer may fire that much too early.
    this.#timer = setTimeout(() => this.#scheduleNext(), Math.min(untilNext + 1, longestDelay))
    this.#timer.unref()
  }

  #elapsed(): number {
    return this.#clock.monotonicTime() - this.#origin
  }
}
