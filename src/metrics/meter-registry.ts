import type { Clock } from '../base/clock.ts'
import type { Duration } from '../base/duration.ts'
import type { Counter } from './counter.ts'
import type { Diagnose } from './diagnostic.ts'
import type { ExemplarSource } from './exemplar.ts'
import type { FunctionCounter } from './function-counter.ts'
import type { FunctionTimer, TimedTotal } from './function-timer.ts'
import type { Gauge } from './gauge.ts'
import type { LongTaskTimer } from './long-task-timer.ts'
import type { Meter, MeterOptions } from './meter.ts'
import type { MeterFilter } from './meter-filter.ts'
import type { RegisterReading } from './meter-reading.ts'
import type { MultiGauge } from './multi-gauge.ts'
import type { Tags } from './series/tags.ts'
import type { SnapshotSource } from './snapshot.ts'
import type { Summary, SummaryOptions } from './summary.ts'
import type { TaggedMeters } from './tag-index/tagged-meters.ts'
import type { Timer, TimerOptions, UnboundSample } from './timer.ts'

/**
 * Meters by name and tags. A meter is created when it is first requested; later requests return the same one.
 *
 * Every method that creates a meter throws `TypeError` if a meter of another kind has the same name and tags, or if a
 * tag value is not a string, number or boolean. It throws `RangeError` if an option is out of its range.
 */
export interface MeterRegistry extends SnapshotSource {
  /** Returns the counter with a name and tags. */
  counter(name: string, tags?: Tags, options?: MeterOptions): Counter
  /**
   * Returns the counters of one name by the values of some tag keys: the fastest way if the values are known only at
   * run time.
   */
  counters<const K extends readonly string[]>(name: string, keys: K, options?: MeterOptions): TaggedMeters<Counter, K>
  /** Returns the timer with a name and tags. */
  timer(name: string, tags?: Tags, options?: TimerOptions): Timer
  /** Returns the timers of one name by the values of some tag keys, like `counters`. */
  timers<const K extends readonly string[]>(name: string, keys: K, options?: TimerOptions): TaggedMeters<Timer, K>
  /** Returns the distribution summary with a name and tags. */
  summary(name: string, tags?: Tags, options?: SummaryOptions): Summary
  /** Returns the distribution summaries of one name by the values of some tag keys, like `counters`. */
  summaries<const K extends readonly string[]>(
    name: string,
    keys: K,
    options?: SummaryOptions,
  ): TaggedMeters<Summary, K>
  /** Returns the timer of running tasks with a name and tags. */
  longTaskTimer(name: string, tags?: Tags, options?: TimerOptions): LongTaskTimer

  /** A second function for a gauge that exists is ignored, with a diagnostic. */
  readonly gauge: RegisterReading<number, Gauge>
  /** A counter whose value is read from a function. */
  readonly functionCounter: RegisterReading<number, FunctionCounter>
  /** A timer whose count and total are read from a function. */
  readonly functionTimer: RegisterReading<TimedTotal, FunctionTimer>
  /** Returns the multi-gauge with a name: gauges whose tags and values are replaced together. */
  multiGauge(name: string, options?: MeterOptions): MultiGauge

  /** Starts a measurement whose timer is chosen at its end. */
  start(): UnboundSample
  /** Adds a filter for meters that are created from now on. */
  filter(filter: MeterFilter): void
  /** Removes a meter; it can still be recorded into, but is no longer read. Returns whether it was registered. */
  remove(meter: Meter): boolean
  /** Stops the registry's timers. Meters can still be read; meters that are created afterwards are not registered. */
  close(): void
}

/** Options of `createMeterRegistry`. */
export interface MeterRegistryOptions {
  /** @default the system's */
  readonly clock?: Clock
  /** Applied in this order. */
  readonly filters?: readonly MeterFilter[]
  /**
   * The maximum number of series per name. Measurements for further ones are recorded into one series whose tags have
   * the value `_overflow`. @default 1000
   */
  readonly maximumSeriesPerMeter?: number
  /**
   * The time over which maxima and percentiles are kept: the current rotation and those before it. @default 3 of '1m'
   */
  readonly window?: { readonly rotations?: number; readonly rotation?: Duration }
  /**
   * After how long without use a meter is removed, by kind. If it is used again, it returns with what it has counted.
   * @default never
   */
  readonly expireAfter?: { readonly [kind in 'counter' | 'timer' | 'summary' | 'longTaskTimer']?: Duration }
  /** Returns the sampled trace for exemplars. Default: no exemplars. */
  readonly exemplar?: ExemplarSource
  /** Called with each problem. Default: `console.warn` with its message. */
  readonly diagnose?: Diagnose
}
