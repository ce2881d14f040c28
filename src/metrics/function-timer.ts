import type { Meter, StoredMeter } from './meter.ts'
import type { Reading } from './reading.ts'
import type { Series } from './series/series.ts'
import type { FunctionTimerSnapshot } from './snapshot.ts'

/** How often something was done, and how long that took in all. */
export interface TimedTotal {
  readonly count: number
  /** Seconds. */
  readonly total: number
}

/** A count and a total time that something else keeps. */
export interface FunctionTimer extends Meter {
  readonly count: number
  /** Seconds. */
  readonly total: number
}

export class ReadTimer implements FunctionTimer, StoredMeter {
  readonly id: Series
  #last: TimedTotal = { count: 0, total: 0 }
  readonly #reading: Reading<TimedTotal>

  constructor(id: Series, reading: Reading<TimedTotal>) {
    this.id = id
    this.#reading = reading
  }

  get count(): number {
    return this.#read().count
  }

  get total(): number {
    return this.#read().total
  }

  activity(): number {
    return this.count
  }

  snapshot(): FunctionTimerSnapshot {
    const { count, total } = this.#read()
    return { kind: 'functionTimer', id: this.id, count, total, created: this.id.created }
  }

  #read(): TimedTotal {
    const read = this.#reading.read()
    if (read !== undefined && read.count >= 0 && read.total >= 0) this.#last = read
    return this.#last
  }
}
