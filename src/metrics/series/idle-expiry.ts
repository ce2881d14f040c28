import type { Clock } from '../../base/clock.ts'
import type { MeterKind, StoredMeter } from '../meter.ts'
import type { Family } from './family.ts'
import { listTags, type TagSet, tagSet } from './tags.ts'

interface Note {
  readonly activity: number
  /** Milliseconds of monotonic time. */
  readonly since: number
}

interface Sleeper {
  readonly meter: WeakRef<StoredMeter>
  readonly family: Family<StoredMeter>
  readonly activity: number
}

const shortestPause = 1_000
/** Above it a timer fires at once. */
const longestPause = 2 ** 31 - 1
const looksPerLimit = 4
/** Less than a millisecond's work. */
const metersAtOnce = 256

/**
 * Lets meters go that were not used for some time. Nothing is noted at a record; it is seen at the next look that a value is
 * still the same. Who holds on to such a meter may go on recording: then it returns, with all that it has counted.
 */
export class IdleExpiry {
  readonly #clock: Clock
  /** Milliseconds. */
  readonly #limits: ReadonlyMap<MeterKind, number>
  readonly #families: () => Iterable<Family<StoredMeter>>
  readonly #remove: (family: Family<StoredMeter>, meter: StoredMeter) => void
  readonly #notes = new WeakMap<StoredMeter, Note>()
  readonly #sleepers = new Map<string, Sleeper>()
  readonly #timer: NodeJS.Timeout | undefined
  #looking: Generator<undefined, void> | undefined = undefined

  constructor(
    clock: Clock,
    limits: ReadonlyMap<MeterKind, number>,
    families: () => Iterable<Family<StoredMeter>>,
    remove: (family: Family<StoredMeter>, meter: StoredMeter) => void,
  ) {
    this.#clock = clock
    this.#limits = limits
    this.#families = families
    this.#remove = remove
    if (limits.size > 0) {
      const pause = Math.max(shortestPause, Math.min(...limits.values()) / looksPerLimit)
      this.#timer = setInterval(() => this.look(), Math.min(pause, longestPause))
      this.#timer.unref()
    }
  }

  /** Begins to look at all meters, so many a turn of the event loop; without effect while it is at it. */
  look(): void {
    if (this.#limits.size === 0 || this.#looking !== undefined) return
    this.#looking = this.#lookAtAll()
    this.#goOn()
  }

  /** The meter of an id that is wanted again, back in its family. */
  wake<M extends StoredMeter>(family: Family<M>, tags: TagSet): M | undefined {
    if (this.#sleepers.size === 0) return undefined
    const key = keyOf(family, tags)
    const meter = this.#sleepers.get(key)?.meter.deref() as M | undefined
    this.#sleepers.delete(key)
    if (meter !== undefined) family.readmit(meter)
    return meter
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#looking = undefined
  }

  #goOn(): void {
    if (this.#looking === undefined) return
    if (this.#looking.next().done) this.#looking = undefined
    else setImmediate(() => this.#goOn())
  }

  *#lookAtAll(): Generator<undefined, void> {
    yield* this.#wakeThoseInUse()
    let now = this.#clock.monotonicTime()
    let seen = 0
    for (const family of this.#families()) {
      const limit = this.#limits.get(family.kind)
      if (limit === undefined) continue
      for (const meter of family.meters()) {
        // It may have left since the turn before.
        if (meter.id.home === family && this.#isIdle(meter, now, limit)) this.#layDown(family, meter)
        seen += 1
        if (seen % metersAtOnce > 0) continue
        yield
        now = this.#clock.monotonicTime()
      }
    }
  }

  #isIdle(meter: StoredMeter, now: number, limit: number): boolean {
    const activity = meter.activity()
    const note = this.#notes.get(meter)
    if (note?.activity === activity) return now - note.since >= limit
    this.#notes.set(meter, { activity, since: now })
    return false
  }

  #layDown(family: Family<StoredMeter>, meter: StoredMeter): void {
    const key = keyOf(family, tagSet(meter.id.tags))
    this.#notes.delete(meter)
    this.#remove(family, meter)
    this.#sleepers.set(key, { meter: new WeakRef(meter), family, activity: meter.activity() })
  }

  *#wakeThoseInUse(): Generator<undefined, void> {
    let seen = 0
    for (const [key, { meter: reference, family, activity }] of this.#sleepers) {
      const meter = reference.deref()
      if (meter === undefined) this.#sleepers.delete(key)
      else if (meter.activity() !== activity) this.wake(family, tagSet(meter.id.tags))
      seen += 1
      if (seen % metersAtOnce === 0) yield
    }
  }
}

function keyOf({ kind, name }: Pick<Family<StoredMeter>, 'kind' | 'name'>, tags: TagSet): string {
  return JSON.stringify([kind, name, ...listTags(tags).flatMap(({ key, value }) => [key, value])])
}
