/** A key and a value. Either can be any string: empty, or with separators, quotes, newlines or lone surrogates. */
export interface Tag {
  readonly key: string
  readonly value: string
}

/**
 * The identity of a series: its name and its tags. A series has the same id object in all its snapshots, so that what
 * is derived from an id can be cached in a `WeakMap`.
 */
export interface MeterId {
  readonly name: string
  /** Sorted by key, by UTF-16 code units; no key twice. May be a new array at each access. */
  readonly tags: readonly Tag[]
  readonly description: string | undefined
  /** `seconds` for all kinds that measure time. */
  readonly baseUnit: string | undefined
  /** Whether `name` is already an exported name, of another metrics library, and must not be changed. @default false */
  readonly verbatim?: boolean
}

/** A measurement and the trace in which it was recorded. */
export interface Exemplar {
  readonly value: number
  readonly traceId: string
  readonly spanId: string
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number
}

/** The number of measurements per bucket. */
export interface BucketsSnapshot {
  /** Upper bounds: inclusive, finite, ascending. The same array for all series with the same options. */
  readonly bounds: readonly number[]
  /** One count per bound, and a last one for greater values; not cumulative. */
  readonly counts: readonly number[]
}

/**
 * A base-2 exponential histogram, as in OTLP: bucket `i` is (base^(offset+i), base^(offset+i+1)], with base =
 * 2^(2^-scale).
 */
export interface ExponentialSnapshot {
  readonly scale: number
  /** The number of measurements of exactly zero. */
  readonly zeroCount: number
  readonly offset: number
  readonly counts: readonly number[]
}

/** A quantile of the measurements, and its value. */
export interface Percentile {
  /** From 0 to 1. */
  readonly quantile: number
  readonly value: number
}

/** The value of a counter or function counter. */
export interface CounterSnapshot {
  readonly kind: 'counter'
  readonly id: MeterId
  readonly value: number
  /** The start of the series, in seconds since 1970-01-01T00:00:00Z. */
  readonly created: number
  readonly exemplar: Exemplar | undefined
}

/** The value of a gauge, or of a row of a multi-gauge. */
export interface GaugeSnapshot {
  readonly kind: 'gauge'
  readonly id: MeterId
  /** NaN if the gauge cannot be read. */
  readonly value: number
}

/** A timer, in seconds, or a summary, in its base unit. */
export interface DistributionSnapshot {
  readonly kind: 'timer' | 'summary'
  readonly id: MeterId
  readonly count: number
  readonly total: number
  /** The maximum of the rolling window; 0 without a measurement, NaN if it is not known. */
  readonly max: number
  /** Ascending; over the same window as `max`. */
  readonly percentiles: readonly Percentile[] | undefined
  readonly buckets: BucketsSnapshot | undefined
  readonly exponential: ExponentialSnapshot | undefined
  /** The latest exemplar of each bucket, at the bucket's index; `undefined` without exemplars. */
  readonly exemplars: readonly (Exemplar | undefined)[] | undefined
  /** The start of the series, in seconds since 1970-01-01T00:00:00Z. */
  readonly created: number
}

/** The running tasks of a long task timer, in seconds. Every part decreases as well as increases. */
export interface LongTaskTimerSnapshot {
  readonly kind: 'longTaskTimer'
  readonly id: MeterId
  readonly activeTasks: number
  /** The sum of the durations so far. */
  readonly duration: number
  readonly max: number
  readonly buckets: BucketsSnapshot | undefined
}

/** The values of a function timer. */
export interface FunctionTimerSnapshot {
  readonly kind: 'functionTimer'
  readonly id: MeterId
  readonly count: number
  /** Seconds. */
  readonly total: number
  /** The start of the series, in seconds since 1970-01-01T00:00:00Z. */
  readonly created: number
}

/**
 * The values of one series at one moment, by `kind`. A function counter has the snapshot of a counter, a row of a
 * multi-gauge that of a gauge.
 */
export type MeterSnapshot =
  | CounterSnapshot
  | GaugeSnapshot
  | DistributionSnapshot
  | LongTaskTimerSnapshot
  | FunctionTimerSnapshot

/** A source of snapshots, such as a registry. */
export interface SnapshotSource {
  /** Returns the names of all meters, sorted by UTF-16 code units, each once. */
  names(): readonly string[]
  /**
   * Returns all series, or those of one name, sorted by name. Each is read when the iteration reaches it, so a reader
   * may pause. A series that is added or removed meanwhile may or may not be included; all others are included once.
   */
  snapshot(name?: string): Iterable<MeterSnapshot>
  /** Returns all series in arrays of at most `size`, each of one name and kind: less work per series. @default 64 */
  slices(size?: number): Iterable<readonly MeterSnapshot[]>
  /** Updates values that cannot be read synchronously. Readers await it before they read. Never rejects. */
  refresh?(): Promise<void>
}
