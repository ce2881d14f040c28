// upkeep/metrics: 12 values, 49 types. Written by `npm run api`; do not edit.

/** @stable */
export interface BucketsSnapshot {
    readonly bounds: readonly number[];
    readonly counts: readonly number[];
}

/** @stable */
export interface Clock {
    wallTime(): number;
    monotonicTime(): number;
}

/** @stable */
export interface Counter extends Meter {
    increment(amount?: number): void;
    readonly value: number;
}

/** @stable */
export interface CounterSnapshot {
    readonly kind: 'counter';
    readonly id: MeterId;
    readonly value: number;
    readonly created: number;
    readonly exemplar: Exemplar | undefined;
}

/** @stable */
export type Diagnose = (diagnostic: MeterDiagnostic) => void;

/** @stable */
export interface DistributionOptions {
    readonly slo?: readonly number[] | undefined;
    readonly percentileHistogram?: boolean | undefined;
    readonly minimumExpectedValue?: number | undefined;
    readonly maximumExpectedValue?: number | undefined;
    readonly percentiles?: readonly number[] | undefined;
    readonly exponential?: boolean | ExponentialHistogramOptions | undefined;
}

/** @stable */
export interface DistributionSnapshot {
    readonly kind: 'timer' | 'summary';
    readonly id: MeterId;
    readonly count: number;
    readonly total: number;
    readonly max: number;
    readonly percentiles: readonly Percentile[] | undefined;
    readonly buckets: BucketsSnapshot | undefined;
    readonly exponential: ExponentialSnapshot | undefined;
    readonly exemplars: readonly (Exemplar | undefined)[] | undefined;
    readonly created: number;
}

/** @stable */
export interface Exemplar {
    readonly value: number;
    readonly traceId: string;
    readonly spanId: string;
    readonly timestamp: number;
}

/** @stable */
export type ExemplarSource = () => {
    readonly traceId: string;
    readonly spanId: string;
} | undefined;

/** @stable */
export interface ExponentialHistogramOptions {
    readonly maximumBuckets?: number;
    readonly maximumScale?: number;
}

/** @stable */
export interface ExponentialSnapshot {
    readonly scale: number;
    readonly zeroCount: number;
    readonly offset: number;
    readonly counts: readonly number[];
}

/** @stable */
export type FilterDecision = 'accept' | 'deny' | 'neutral';

/** @stable */
export interface FunctionCounter extends Meter {
    readonly value: number;
}

/** @stable */
export interface FunctionTimer extends Meter {
    readonly count: number;
    readonly total: number;
}

/** @stable */
export interface FunctionTimerSnapshot {
    readonly kind: 'functionTimer';
    readonly id: MeterId;
    readonly count: number;
    readonly total: number;
    readonly created: number;
}

/** @stable */
export interface Gauge extends Meter {
    readonly value: number;
}

/** @stable */
export interface GaugeRow {
    readonly tags: Tags;
    readonly value: number | (() => number);
}

/** @stable */
export interface GaugeSnapshot {
    readonly kind: 'gauge';
    readonly id: MeterId;
    readonly value: number;
}

/** @stable */
export interface LongTask {
    readonly duration: number;
    stop(): number;
}

/** @stable */
export interface LongTaskTimer extends Meter {
    start(): LongTask;
    time<R>(work: () => R): R;
    readonly activeTasks: number;
    readonly duration: number;
    readonly max: number;
}

/** @stable */
export interface LongTaskTimerSnapshot {
    readonly kind: 'longTaskTimer';
    readonly id: MeterId;
    readonly activeTasks: number;
    readonly duration: number;
    readonly max: number;
    readonly buckets: BucketsSnapshot | undefined;
}

/** @stable */
export interface Meter {
    readonly id: MeterId;
}

/** @stable */
export interface MeterDescription {
    readonly kind: MeterKindName;
    readonly name: string;
    readonly tags: readonly Tag[];
    readonly description: string | undefined;
    readonly baseUnit: string | undefined;
}

/** @stable */
export type MeterDiagnostic = {
    readonly kind: 'series-limit';
    readonly message: string;
    readonly meter: string;
    readonly maximum: number;
    readonly tagKey: string;
    readonly sampleValues: readonly string[];
} | {
    readonly kind: 'reading-failed';
    readonly message: string;
    readonly meter: string;
    readonly error: unknown;
} | {
    readonly kind: 'registered-before';
    readonly message: string;
    readonly meter: string;
} | {
    readonly kind: 'filter-failed';
    readonly message: string;
    readonly meter: string;
    readonly error: unknown;
} | {
    readonly kind: 'exemplar-failed';
    readonly message: string;
    readonly error: unknown;
} | {
    readonly kind: 'late-filter';
    readonly message: string;
};

/** @stable */
export interface MeterFilter {
    map?(meter: MeterDescription): MeterDescription;
    accept?(meter: MeterDescription): FilterDecision;
    configure?(meter: MeterDescription, options: DistributionOptions): DistributionOptions;
}

/** @stable */
export interface MeterId {
    readonly name: string;
    readonly tags: readonly Tag[];
    readonly description: string | undefined;
    readonly baseUnit: string | undefined;
    readonly verbatim?: boolean;
}

/** @stable */
export type MeterKindName = MeterSnapshot['kind'] | 'functionCounter';

/** @stable */
export interface MeterOptions {
    readonly description?: string | undefined;
    readonly baseUnit?: string | undefined;
}

/** @stable */
export interface MeterRegistry extends SnapshotSource {
    counter(name: string, tags?: Tags, options?: MeterOptions): Counter;
    counters<const K extends readonly string[]>(name: string, keys: K, options?: MeterOptions): TaggedMeters<Counter, K>;
    timer(name: string, tags?: Tags, options?: TimerOptions): Timer;
    timers<const K extends readonly string[]>(name: string, keys: K, options?: TimerOptions): TaggedMeters<Timer, K>;
    summary(name: string, tags?: Tags, options?: SummaryOptions): Summary;
    summaries<const K extends readonly string[]>(name: string, keys: K, options?: SummaryOptions): TaggedMeters<Summary, K>;
    longTaskTimer(name: string, tags?: Tags, options?: TimerOptions): LongTaskTimer;
    readonly gauge: RegisterReading<number, Gauge>;
    readonly functionCounter: RegisterReading<number, FunctionCounter>;
    readonly functionTimer: RegisterReading<TimedTotal, FunctionTimer>;
    multiGauge(name: string, options?: MeterOptions): MultiGauge;
    start(): UnboundSample;
    filter(filter: MeterFilter): void;
    remove(meter: Meter): boolean;
    close(): void;
}

/** @stable */
export interface MeterRegistryOptions {
    readonly clock?: Clock;
    readonly filters?: readonly MeterFilter[];
    readonly maximumSeriesPerMeter?: number;
    readonly window?: {
        readonly rotations?: number;
        readonly rotation?: Duration;
    };
    readonly expireAfter?: {
        readonly [kind in 'counter' | 'timer' | 'summary' | 'longTaskTimer']?: Duration;
    };
    readonly exemplar?: ExemplarSource;
    readonly diagnose?: Diagnose;
}

/** @stable */
export type MeterSelection = string | ((meter: MeterDescription) => boolean);

/** @stable */
export type MeterSnapshot = CounterSnapshot | GaugeSnapshot | DistributionSnapshot | LongTaskTimerSnapshot | FunctionTimerSnapshot;

/** @stable */
export interface MultiGauge {
    register(rows: Iterable<GaugeRow>, overwrite?: boolean): void;
}

/** @stable */
export interface ObjectReadingOptions extends MeterOptions {
    readonly weak?: boolean | undefined;
}

/** @stable */
export interface Percentile {
    readonly quantile: number;
    readonly value: number;
}

/** @stable */
export interface RegisterReading<T, M> {
    (name: string, read: () => T, options?: MeterOptions): M;
    (name: string, tags: Tags, read: () => T, options?: MeterOptions): M;
    <O extends object>(name: string, tags: Tags, object: O, read: (object: O) => T, options?: ObjectReadingOptions): M;
}

/** @stable */
export type Report = (message: string, cause?: unknown) => void;

/** @stable */
export interface Sample {
    stop(timer?: Timer): number;
}

/** @stable */
export interface SnapshotSource {
    names(): readonly string[];
    snapshot(name?: string): Iterable<MeterSnapshot>;
    slices(size?: number): Iterable<readonly MeterSnapshot[]>;
    refresh?(): Promise<void>;
}

/** @stable */
export interface Summary extends Meter {
    record(amount: number): void;
    readonly count: number;
    readonly total: number;
    readonly max: number;
    readonly mean: number;
}

/** @stable */
export interface SummaryOptions extends DistributionOptions, MeterOptions {
    readonly scale?: number | undefined;
}

/** @stable */
export interface Tag {
    readonly key: string;
    readonly value: string;
}

/** @stable */
export type TagValue = string | number | boolean;

/** @stable */
export interface TaggedMeters<M, K extends readonly string[]> {
    with(...values: {
        readonly [I in keyof K]: TagValue;
    }): M;
}

/** @stable */
export type Tags = Readonly<Record<string, TagValue>>;

/** @stable */
export interface TimedTotal {
    readonly count: number;
    readonly total: number;
}

/** @stable */
export interface Timer extends Meter {
    record(seconds: number): void;
    time<R>(work: () => R): R;
    start(): Sample;
    readonly count: number;
    readonly total: number;
    readonly max: number;
    readonly mean: number;
}

/** @stable */
export interface TimerOptions extends DistributionOptions {
    readonly description?: string | undefined;
}

/** @stable */
export interface UnboundSample {
    stop(timer: Timer): number;
}

/** @stable */
export function accept(which?: MeterSelection): MeterFilter;

/** @stable */
export const bucketPresets: Readonly<Record<'expressPromBundle' | 'openTelemetry' | 'promClient', readonly number[]>>;

/** @stable */
export function commonTags(tags: Tags): MeterFilter;

/** @stable */
export function createMeterRegistry(options?: MeterRegistryOptions): MeterRegistry;

/** @stable */
export function deny(which?: MeterSelection): MeterFilter;

/** @stable */
export function denyUnless(which: MeterSelection): MeterFilter;

/** @stable */
export function histogram(which: MeterSelection, wanted: DistributionOptions): MeterFilter;

/** @stable */
export function ignoreTags(...keys: readonly string[]): MeterFilter;

/** @stable */
export function maximumAllowableTags(which: MeterSelection, key: string, maximum: number, otherwise?: MeterFilter): MeterFilter;

/** @stable */
export function renameMeter(from: string, to: string): MeterFilter;

/** @stable */
export function renameTag(which: MeterSelection, from: string, to: string): MeterFilter;

/** @stable */
export function replaceTagValues(key: string, replace: (value: string) => string, ...exceptions: readonly string[]): MeterFilter;
