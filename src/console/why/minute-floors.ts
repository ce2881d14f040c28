/** What a process used at a time, in milliseconds since the epoch. */
interface MemoryReading {
  readonly at: number
  readonly heapUsed: number
  readonly rss: number
}

const maxMinutes = 16

/** The least memory of each of the last minutes: what garbage collections left, as far as it was read. */
export class MinuteFloors {
  readonly #minutes: MemoryReading[] = []

  add(reading: MemoryReading): void {
    const last = this.#minutes.at(-1)
    if (last === undefined || minuteOf(last) !== minuteOf(reading)) {
      this.#minutes.push(reading)
      if (this.#minutes.length > maxMinutes) this.#minutes.shift()
      return
    }
    const { at } = last
    const [heapUsed, rss] = [Math.min(last.heapUsed, reading.heapUsed), Math.min(last.rss, reading.rss)]
    this.#minutes[this.#minutes.length - 1] = { at, heapUsed, rss }
  }

  /** Returns the minutes, the oldest first. */
  read(): readonly MemoryReading[] {
    return this.#minutes
  }
}

function minuteOf({ at }: MemoryReading): number {
  return Math.floor(at / 60_000)
}
