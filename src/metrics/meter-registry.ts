import type { Clock } from '../base/clock.ts'
import type { Duration } from '../base/duration.ts'
import type { Counter } from './counter.ts'
import type { Diagnose } from './diagnostic.ts'
import type { DistributionOptions } from './distribution/distribution-options.ts'
import type { ExemplarSource } from './exemplar.ts'
import type { FunctionCounter } from './function-counter.ts'
import type { FunctionTimer, TimedTotal } from './function-timer.ts'
import type { Gauge } from './gauge.ts'
import type { LongTaskTimer } from './long-task-timer.ts'
import type { Meter } from './meter.ts'
import type { MeterFilter } from './meter-filter.ts'
import type { MultiGauge } from './multi-gauge.ts'
import type { ReadingOptions } from './reading.ts'
import type { Tags } from './series/tags.ts'
import type { SnapshotSource } from './snapshot.ts'
import type { Summary } from './summary.ts'
import type { TaggedMeters } from './tag-index/tagged-meters.ts'
import type { Timer, UnboundSample } from './timer.ts'

/** What can be said of a meter when it is made; of one that exists already, it is ignored. */
export interface MeterOptions {
  readonly description?: string | undefined
  readonly baseUnit?: string | undefined
}

export interface TimerOptions extends DistributionOptions {
  readonly description?: string | undefined
}

export interface SummaryOptions extends DistributionOptions, MeterOptions {
  /** What every amount is multiplied with. @default 1 */
  readonly scale?: number | undefined
}

/** Registers a function that is called whenever the meter is read, or an object and a function that reads from it. */
export interface RegisterReading<T, M> {
  (name: string, read: () => T, options?: MeterOptions): M
  (name: string, tags: Tags, read: () => T, options?: MeterOptions): M
  <O extends object>(
    name: string,
    tags: Tags,
    object: O,
    read: (object: O) => T,
    options?: MeterOptions & ReadingOptions,
  ): M
}

/**
 * Meters by name and tags. A meter is made when it is first asked for and is the same one ever after.
 *
 * All that make a meter throw `TypeError` when there is one of another kind with the same name and tags, or when a tag value is
 * neither a string nor a number nor a boolean; and `RangeError` when an option is out of its range.
 */
export interface MeterRegistry extends SnapshotSource {
  counter(name: string, tags?: Tags, options?: MeterOptions): Counter
  /** The counters of one name by the values of some tag keys: the fastest way when the values are known only at the time. */
  counters<const K extends readonly string[]>(name: string, keys: K, options?: MeterOptions): TaggedMeters<Counter, K>
  timer(name: string, tags?: Tags, options?: TimerOptions): Timer
  timers<const K extends readonly string[]>(name: string, keys: K, options?: TimerOptions): TaggedMeters<Timer, K>
  summary(name: string, tags?: Tags, options?: SummaryOptions): Summary
  summaries<const K extends readonly string[]>(
    name: string,
    keys: K,
    options?: SummaryOptions,
  ): TaggedMeters<Summary, K>
  longTaskTimer(name: string, tags?: Tags, options?: TimerOptions): LongTaskTimer

  /** A second function for a gauge that there is already is ignored, with a diagnostic. */
  readonly gauge: RegisterReading<number, Gauge>
  readonly functionCounter: RegisterReading<number, FunctionCounter>
  readonly functionTimer: RegisterReading<TimedTotal, FunctionTimer>
  multiGauge(name: string, options?: MeterOptions): MultiGauge

  /** Begins to measure a time whose timer is known only at the end. */
  start(): UnboundSample
  /** Adds a filter for the meters that are yet to come. */
  filter(filter: MeterFilter): void
  /** Forgets a meter; who holds it records into nothing. Whether it was in this registry. */
  remove(meter: Meter): boolean
  /** Ends all timers of its own; what it has can still be read, and new meters are kept nowhere. */
  close(): void
}

export interface MeterRegistryOptions {
  readonly clock?: Clock
  /** In the order of their use. */
  readonly filters?: readonly MeterFilter[]
  /** How many series one name may have. What is beyond them goes to one whose tags have the value `_overflow`. @default 1000 */
  readonly maximumSeriesPerMeter?: number
  /** How far maxima and percentiles look back: over the present rotation and those before it. @default 3 of '1m' */
  readonly window?: { readonly rotations?: number; readonly rotation?: Duration }
  /** After how long without use a meter leaves, by kind. One that is used again returns with what it has counted. @default never */
  readonly expireAfter?: { readonly [kind in 'counter' | 'timer' | 'summary' | 'longTaskTimer']?: Duration }
  /** The sampled trace that is going on, for exemplars; without it none are taken. */
  readonly exemplar?: ExemplarSource
  /** Is told of what went wrong. @default its message as a warning on the console */
  readonly diagnose?: Diagnose
}
