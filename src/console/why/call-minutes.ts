/** Calls to another system since the start of the process. */
export interface CallTotals {
  readonly calls: number
  readonly errors: number
  /** Their time, in seconds. */
  readonly total: number
}

/** The calls to one system: those of the last one to two minutes, and those of the minutes before. */
export interface CallWindow {
  /** What is called, such as `http payments.internal`. */
  readonly key: string
  readonly recent: CallTotals
  /** The oldest first; only minutes with enough calls. */
  readonly minutes: readonly CallTotals[]
}

interface Minute extends CallTotals {
  readonly window: number
}

const maxMinutes = 60
const maxKeys = 200

/** Calls of a minute from which their mean means something. */
const minimumCalls = 5

/** Calls by minute, from totals that are read once a minute. */
export class CallMinutes {
  readonly #minutes = new Map<string, Minute[]>()
  #before: ReadonlyMap<string, CallTotals> = new Map()
  #last: ReadonlyMap<string, CallTotals> = new Map()

  /** Called with the number of the minute that has ended, and the totals at its end. */
  turn(window: number, totals: ReadonlyMap<string, CallTotals>): void {
    for (const [key, current] of totals) {
      const minute = since(this.#last.get(key), current)
      if (minute.calls < minimumCalls) continue
      const minutes = this.#minutes.get(key) ?? []
      if (minutes.length === 0 && this.#minutes.size >= maxKeys) continue
      this.#minutes.set(key, minutes)
      minutes.push({ window, ...minute })
      if (minutes.length > maxMinutes) minutes.shift()
    }
    this.#before = this.#last
    this.#last = totals
  }

  /** `window` is the number of the current minute, `totals` are those of now. */
  read(window: number, totals: ReadonlyMap<string, CallTotals>): readonly CallWindow[] {
    return [...totals].map(([key, current]) => ({
      key,
      recent: since(this.#before.get(key), current),
      minutes: (this.#minutes.get(key) ?? []).filter((minute) => minute.window < window - 1),
    }))
  }
}

function since(earlier: CallTotals | undefined, current: CallTotals): CallTotals {
  return {
    calls: Math.max(0, current.calls - (earlier?.calls ?? 0)),
    errors: Math.max(0, current.errors - (earlier?.errors ?? 0)),
    total: Math.max(0, current.total - (earlier?.total ?? 0)),
  }
}
