import { ignoreRejection, unexpected } from '../base/callback.ts'
import { type Meter, type StoredMeter, setCell } from './meter.ts'
import type { Reading, ReadingKind } from './meter-reading.ts'
import type { Series } from './series/series.ts'
import type { FunctionTimerSnapshot } from './snapshot.ts'

/** How often something was done, and how long it took in total. */
export interface TimedTotal {
  readonly count: number
  /** Seconds. */
  readonly total: number
}

/** A count and a total time that other code measures, read from a function. */
export interface FunctionTimer extends Meter {
  readonly count: number
  /** Seconds. */
  readonly total: number
}

export const functionTimerKind: ReadingKind<FunctionTimer & StoredMeter, TimedTotal> = {
  name: 'functionTimer',
  baseUnit: 'seconds',
  overflows: false,
  parse: parseTimedTotal,
  create: (series, { reading }) => new ReadTimer(series, reading),
}

class ReadTimer implements FunctionTimer, StoredMeter {
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

  copyTo(cells: Float64Array, place: number): boolean {
    const { count, total } = this.#read()
    const hasCounted = setCell(cells, place, count)
    return setCell(cells, place + 1, total) || hasCounted
  }

  #read(): TimedTotal {
    const read = this.#reading.read()
    if (read !== undefined && read.count >= 0 && read.total >= 0) this.#last = read
    return this.#last
  }
}

/** Returns a count and a total; `undefined` for `undefined` and `null`. Throws `TypeError` for anything else. */
function parseTimedTotal(value: unknown): TimedTotal | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || !('count' in value && 'total' in value)) throw unexpected('{ count, total }', value)
  const { count, total } = value
  for (const [name, member] of [
    ['count', count],
    ['total', total],
  ] as const) {
    ignoreRejection(member)
    if (typeof member !== 'number') throw unexpected(`{ count, total } with a number as ${name}`, member)
  }
  return { count, total } as TimedTotal
}
