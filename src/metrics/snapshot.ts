/** One key and one value of a series. Either may be any string: empty, with separators, quotes, newlines or lone surrogates. */
export interface Tag {
  readonly key: string
  readonly value: string
}

/**
 * What tells one series from every other: its name and its tags. A series has one id, the same object, for its whole life,
 * so that what is derived from an id can be kept by it.
 */
export interface MeterId {
  readonly name: string
  /** Sorted by key, by UTF-16 code units; no key twice. Made anew at every read. */
  readonly tags: readonly Tag[]
  readonly description: string | undefined
  /** `seconds` for every kind that measures time. */
  readonly baseUnit: string | undefined
  /** Whether `name` is an exported name already, of another metrics library, and not to be changed. @default false */
  readonly verbatim?: boolean
}

/** One measurement and the trace that it was taken in. */
export interface Exemplar {
  readonly value: number
  readonly traceId: string
  readonly spanId: string
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number
}

/** How many measurements fell where. */
export interface BucketsSnapshot {
  /** Upper bounds, inclusive, finite, ascending; the same array for all series of one configuration. */
  readonly bounds: readonly number[]
  /** One count a bound and a last one for everything above; not cumulative. */
  readonly counts: readonly number[]
}

/** A base-2 exponential histogram, as OTLP has it: bucket `i` holds (base^(offset+i), base^(offset+i+1)], base = 2^(2^-scale). */
export interface ExponentialSnapshot {
  readonly scale: number
  /** Measurements of exactly zero. */
  readonly zeroCount: number
  readonly offset: number
  readonly counts: readonly number[]
}

export interface Percentile {
  /** From 0 to 1. */
  readonly quantile: number
  readonly value: number
}

export interface CounterSnapshot {
  readonly kind: 'counter'
  readonly id: MeterId
  readonly value: number
  /** When the series began, in seconds since 1970-01-01T00:00:00Z. */
  readonly created: number
  readonly exemplar: Exemplar | undefined
}

export interface GaugeSnapshot {
  readonly kind: 'gauge'
  readonly id: MeterId
  /** NaN when the gauge has nothing to read. */
  readonly value: number
}

/** Of a timer (in seconds) or of a distribution summary (in its base unit). */
export interface DistributionSnapshot {
  readonly kind: 'timer' | 'summary'
  readonly id: MeterId
  readonly count: number
  readonly total: number
  /** The greatest measurement of the rolling window, 0 when there is none, and NaN where that is not known. */
  readonly max: number
  /** Ascending; over the same window as `max`. */
  readonly percentiles: readonly Percentile[] | undefined
  readonly buckets: BucketsSnapshot | undefined
  readonly exponential: ExponentialSnapshot | undefined
  /** The latest one of each bucket, at the bucket's index; `undefined` when exemplars are not taken. */
  readonly exemplars: readonly (Exemplar | undefined)[] | undefined
  /** When the series began, in seconds since 1970-01-01T00:00:00Z. */
  readonly created: number
}

/** Of the tasks that run now, in seconds; every part goes down as well as up. */
export interface LongTaskTimerSnapshot {
  readonly kind: 'longTaskTimer'
  readonly id: MeterId
  readonly activeTasks: number
  /** The sum of the durations so far. */
  readonly duration: number
  readonly max: number
  readonly buckets: BucketsSnapshot | undefined
}

export interface FunctionTimerSnapshot {
  readonly kind: 'functionTimer'
  readonly id: MeterId
  readonly count: number
  /** Seconds. */
  readonly total: number
  /** When the series began, in seconds since 1970-01-01T00:00:00Z. */
  readonly created: number
}

/** The values of one series at one moment, told apart by `kind`. A function counter is a counter here, the rows of a multi-gauge are gauges. */
export type MeterSnapshot =
  | CounterSnapshot
  | GaugeSnapshot
  | DistributionSnapshot
  | LongTaskTimerSnapshot
  | FunctionTimerSnapshot

/** What can be read as snapshots: a registry. */
export interface SnapshotSource {
  /** The names of all meters that there are, sorted by UTF-16 code units, each once. */
  names(): readonly string[]
  /**
   * Every series, or those of one name: sorted by name, all of one name together. Each is read only when it is its turn, so a
   * reader may pause between two; a series that comes or goes meanwhile may or may not be seen, all others are seen once.
   */
  snapshot(name?: string): Iterable<MeterSnapshot>
  /** Every series in arrays of at most `size` of one name and one kind, which cost less per series. @default 64 */
  slices(size?: number): Iterable<readonly MeterSnapshot[]>
  /** Brings up to date what cannot be read at once; whoever reads awaits it first, where there is one. Never rejects. */
  refresh?(): Promise<void>
}
