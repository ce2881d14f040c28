import type { Clock } from '../../base/clock.ts'
import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import type { LogEvent } from '../../logging/events/sinks.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import type { Vitals } from '../documents.ts'
import { windowOf } from '../requests/route-statistics.ts'
import { CallMinutes, type CallTotals, type CallWindow } from './call-minutes.ts'
import { LogShapes } from './log-shapes.ts'
import { MinuteFloors } from './minute-floors.ts'
import { readPoolWaits, readTelemetryLoss } from './read-totals.ts'

interface HistoriesParts {
  readonly clock: Clock
  readonly source: () => SnapshotSource
  /** Returns the calls to other systems since the start, by kind and target. */
  readonly calls: () => ReadonlyMap<string, CallTotals>
}

/** A shift of the wall time against the monotonic time. */
interface ClockShift {
  readonly at: number
  readonly seconds: number
}

const minimumShiftSeconds = 2
const trafficMinutes = 60

/** What only `why` needs, in addition to the histories of the console: figures by minute. */
export class WhyHistories {
  readonly logs: LogShapes = new LogShapes()
  readonly memory: MinuteFloors = new MinuteFloors()
  readonly #outgoing = new CallMinutes()
  readonly #poolWaits = new CallMinutes()
  /** Spans and other data that did not reach a receiver, as calls. */
  readonly #lost = new CallMinutes()
  readonly #parts: HistoriesParts
  /** The requests of the last minutes, the oldest first. */
  #traffic: { readonly window: number; readonly requests: number }[] = []
  #shift: ClockShift | undefined
  #origin: number
  #window: number
  #requests = 0

  constructor(parts: HistoriesParts) {
    this.#parts = parts
    this.#window = windowOf(parts.clock.monotonicTime())
    this.#origin = originOf(parts.clock)
  }

  /** Called with each request. Compares a number, but for the first request of a minute. */
  record({ endedAt }: EndedRequest): void {
    if (windowOf(endedAt) > this.#window) this.#turnTo(windowOf(endedAt))
    this.#requests += 1
  }

  addLog(event: LogEvent): void {
    this.logs.add(event, windowOf(this.#parts.clock.monotonicTime()))
  }

  /** Called each second. */
  sample({ at, heapUsed, rss }: Vitals): void {
    const { clock } = this.#parts
    const window = windowOf(clock.monotonicTime())
    if (window > this.#window) this.#turnTo(window)
    if (heapUsed !== null && rss !== null) this.memory.add({ at, heapUsed, rss })
    const origin = originOf(clock)
    const seconds = (origin - this.#origin) / 1_000
    if (Math.abs(seconds) >= minimumShiftSeconds) this.#shift = { at: clock.wallTime(), seconds }
    this.#origin = origin
  }

  /** The last shift of the clock. */
  get shift(): ClockShift | undefined {
    return this.#shift
  }

  /** Returns the requests of the last one to two minutes, and of each complete minute before. */
  traffic(): { readonly recent: number; readonly minutes: readonly number[] } {
    const window = windowOf(this.#parts.clock.monotonicTime())
    const lastMinute = this.#traffic.find((minute) => minute.window === window - 1)?.requests ?? 0
    const current = this.#window === window ? this.#requests : 0
    const earlier = this.#traffic.filter((minute) => minute.window < window - 1)
    return { recent: Math.max(current, lastMinute), minutes: earlier.map(({ requests }) => requests) }
  }

  /** Returns the calls to other systems, waits for connections, and lost telemetry of the last minutes. */
  read(
    window: number,
    source: SnapshotSource,
  ): Readonly<Record<'outgoing' | 'poolWaits' | 'lost', readonly CallWindow[]>> {
    return {
      outgoing: this.#outgoing.read(window, this.#parts.calls()),
      poolWaits: this.#poolWaits.read(window, readPoolWaits(source)),
      lost: this.#lost.read(window, readTelemetryLoss(source)),
    }
  }

  #turnTo(window: number): void {
    const { source, calls, clock } = this.#parts
    const ended = this.#window
    this.#traffic.push({ window: ended, requests: this.#requests })
    if (this.#traffic.length > trafficMinutes) this.#traffic.shift()
    this.#window = window
    this.#requests = 0
    this.#outgoing.turn(ended, calls())
    this.#poolWaits.turn(ended, readPoolWaits(source()))
    this.#lost.turn(ended, readTelemetryLoss(source()))
    const { heapUsed, rss } = process.memoryUsage()
    this.memory.add({ at: clock.wallTime(), heapUsed, rss })
  }
}

/** The wall time at 0 of the monotonic time. */
function originOf(clock: Clock): number {
  return clock.wallTime() - clock.monotonicTime()
}
