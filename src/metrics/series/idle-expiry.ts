import type { Clock } from '../../base/clock.ts'
import type { MeterKindName, StoredMeter } from '../meter.ts'
import type { Family } from './family.ts'
import type { MeterStore } from './meter-store.ts'
import { listTags, type TagSet, tagSet } from './tags.ts'

/** The activity of a meter when it was last seen to change. */
interface Observed {
  readonly activity: number
  /** Milliseconds of monotonic time. */
  readonly since: number
}

/** A meter that has expired but may still be held and used. */
interface Expired {
  readonly meter: WeakRef<StoredMeter>
  readonly family: Family<StoredMeter>
  readonly activity: number
}

const minInterval = 1_000
/** Node fires timers with a longer delay immediately. */
const maxInterval = 2 ** 31 - 1
const checksPerLimit = 4
/** Less than a millisecond's work. */
const metersPerTurn = 256

/**
 * Removes meters that were not used for some time. Recording is not slowed: each check compares a meter's activity
 * with that of the check before. If code that still holds an expired meter records into it, it returns with what it has
 * counted.
 */
export class IdleExpiry {
  readonly #clock: Clock
  /** Milliseconds. */
  readonly #limits: ReadonlyMap<MeterKindName, number>
  readonly #store: MeterStore
  readonly #observed = new WeakMap<StoredMeter, Observed>()
  readonly #expired = new Map<string, Expired>()
  readonly #timer: NodeJS.Timeout | undefined
  #checking: Generator<undefined, void> | undefined = undefined

  constructor(clock: Clock, limits: ReadonlyMap<MeterKindName, number>, store: MeterStore) {
    this.#clock = clock
    this.#limits = limits
    this.#store = store
    if (limits.size > 0) {
      const interval = Math.max(minInterval, Math.min(...limits.values()) / checksPerLimit)
      this.#timer = setInterval(() => this.check(), Math.min(interval, maxInterval))
      this.#timer.unref()
    }
  }

  /** Starts to check all meters, some of them per turn of the event loop; has no effect while a check is running. */
  check(): void {
    if (this.#limits.size === 0 || this.#checking !== undefined) return
    this.#checking = this.#checkAll()
    this.#continue()
  }

  /** Adds an expired meter to its family again and returns it; `undefined` if no expired meter has these tags. */
  wake<M extends StoredMeter>(family: Family<M>, tags: TagSet): M | undefined {
    if (this.#expired.size === 0) return undefined
    const key = keyOf(family, tags)
    const meter = this.#expired.get(key)?.meter.deref() as M | undefined
    this.#expired.delete(key)
    if (meter !== undefined) family.readmit(meter)
    return meter
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#checking = undefined
  }

  #continue(): void {
    if (this.#checking === undefined) return
    if (this.#checking.next().done) this.#checking = undefined
    else setImmediate(() => this.#continue())
  }

  *#checkAll(): Generator<undefined, void> {
    yield* this.#wakeUsed()
    let now = this.#clock.monotonicTime()
    let seen = 0
    for (const family of this.#store.families()) {
      const limit = this.#limits.get(family.kind)
      if (limit === undefined) continue
      for (const meter of family.meters()) {
        // It may have been removed since the last turn.
        if (meter.id.home === family && this.#isIdle(meter, now, limit)) this.#expire(family, meter)
        seen += 1
        if (seen % metersPerTurn > 0) continue
        yield
        now = this.#clock.monotonicTime()
      }
    }
  }

  #isIdle(meter: StoredMeter, now: number, limit: number): boolean {
    const activity = meter.activity()
    const observed = this.#observed.get(meter)
    if (observed?.activity === activity) return now - observed.since >= limit
    this.#observed.set(meter, { activity, since: now })
    return false
  }

  #expire(family: Family<StoredMeter>, meter: StoredMeter): void {
    const key = keyOf(family, tagSet(meter.id.tags))
    this.#observed.delete(meter)
    this.#store.remove(meter)
    this.#expired.set(key, { meter: new WeakRef(meter), family, activity: meter.activity() })
  }

  *#wakeUsed(): Generator<undefined, void> {
    let seen = 0
    for (const [key, { meter: reference, family, activity }] of this.#expired) {
      const meter = reference.deref()
      if (meter === undefined) this.#expired.delete(key)
      else if (meter.activity() !== activity) this.wake(family, tagSet(meter.id.tags))
      seen += 1
      if (seen % metersPerTurn === 0) yield
    }
  }
}

function keyOf({ kind, name }: Family<StoredMeter>, tags: TagSet): string {
  return JSON.stringify([kind, name, ...listTags(tags).flatMap(({ key, value }) => [key, value])])
}
