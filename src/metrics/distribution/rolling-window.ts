import { type Clock, systemClock } from '../../base/clock.ts'

const maxDelay = 2 ** 31 - 1

/**
 * The time over which maxima and percentiles are kept: a number of equal rotations, of which the oldest is dropped when
 * a new one starts. Three rotations of a minute cover the last two to three minutes.
 *
 * Meters compare `epoch` at each record, without reading the clock. With the system's clock a timer advances it, late
 * if the event loop is blocked. Any other clock can advance at any time: then `epoch` is -1, and each record calls
 * `current`.
 */
export class RollingWindow {
  readonly rotations: number
  /** The number of the current rotation, or -1 if `current` must be called. */
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

  /** Returns the number of the current rotation, by the clock. */
  current(): number {
    const epoch = Math.floor(this.#elapsed() / this.#rotationMilliseconds)
    if (this.#ticks) this.epoch = epoch
    return epoch
  }

  /** Starts the timer; has no effect if it is running or was stopped. */
  start(): void {
    if (this.#ticks && this.#timer === undefined && !this.#stopped) this.#scheduleNext()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #scheduleNext(): void {
    const untilNext = (this.current() + 1) * this.#rotationMilliseconds - this.#elapsed()
    // One millisecond more, because a timer may fire that much early.
    this.#timer = setTimeout(() => this.#scheduleNext(), Math.min(untilNext + 1, maxDelay))
    this.#timer.unref()
  }

  #elapsed(): number {
    return this.#clock.monotonicTime() - this.#origin
  }
}
