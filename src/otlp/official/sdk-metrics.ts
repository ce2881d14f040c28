/**
 * Provides metrics to a `MetricReader` of OpenTelemetry's SDK. Has the shape of `MetricProducer` of
 * `@opentelemetry/sdk-metrics`, so that declarations of upkeep do not refer to that package.
 */
export interface MetricProducer {
  /** Returns the current metrics. */
  collect(): Promise<MetricCollection>
}

/** What a `MetricProducer` returns: `CollectionResult` of `@opentelemetry/sdk-metrics`. */
export interface MetricCollection {
  readonly resourceMetrics: CollectedMetrics
  /** What prevented meters from being read. */
  readonly errors: unknown[]
}

/** Metrics by their scope: `ResourceMetrics` of `@opentelemetry/sdk-metrics`. */
export interface CollectedMetrics {
  readonly resource: CollectedResource
  readonly scopeMetrics: CollectedScope[]
}

/** The resource of collected metrics, which a provider replaces by its own: `Resource` of `@opentelemetry/resources`. */
export interface CollectedResource {
  readonly attributes: Readonly<Record<string, never>>
  merge<Other>(other: Other | null): Other | this
  getRawAttributes(): []
}

/** Metrics of one scope: `ScopeMetrics` of `@opentelemetry/sdk-metrics`. */
export interface CollectedScope {
  readonly scope: { readonly name: string; readonly version: string }
  readonly metrics: CollectedMetric[]
}

/** A metric with its data points: `MetricData` of `@opentelemetry/sdk-metrics`. */
export type CollectedMetric = MetricHeader &
  (
    | { readonly dataPointType: 0; readonly dataPoints: CollectedPoint<CollectedHistogram>[] }
    | { readonly dataPointType: 1; readonly dataPoints: CollectedPoint<CollectedExponentialHistogram>[] }
    | { readonly dataPointType: 2; readonly dataPoints: CollectedPoint<number>[] }
    | { readonly dataPointType: 3; readonly dataPoints: CollectedPoint<number>[]; readonly isMonotonic: boolean }
  )

/** What metrics of every kind have. */
export interface MetricHeader {
  readonly descriptor: {
    readonly name: string
    readonly description: string
    readonly unit: string
    /** `ValueType.DOUBLE` of `@opentelemetry/api`. */
    readonly valueType: 1
  }
  /** 0: delta; 1: cumulative. */
  readonly aggregationTemporality: 0 | 1
}

/** A value of a series and its interval: `DataPoint` of `@opentelemetry/sdk-metrics`. */
export interface CollectedPoint<T> {
  /** Seconds and nanoseconds since 1970-01-01T00:00:00Z. */
  readonly startTime: [seconds: number, nanoseconds: number]
  /** Seconds and nanoseconds since 1970-01-01T00:00:00Z. */
  readonly endTime: [seconds: number, nanoseconds: number]
  readonly attributes: Readonly<Record<string, string | number>>
  readonly value: T
}

/** Counts of explicit buckets: `Histogram` of `@opentelemetry/sdk-metrics`. */
export interface CollectedHistogram {
  readonly buckets: { readonly boundaries: number[]; readonly counts: number[] }
  readonly sum: number
  readonly count: number
}

/** Counts of exponential buckets: `ExponentialHistogram` of `@opentelemetry/sdk-metrics`. */
export interface CollectedExponentialHistogram {
  readonly count: number
  readonly sum: number
  readonly scale: number
  readonly zeroCount: number
  readonly positive: { readonly offset: number; readonly bucketCounts: number[] }
  readonly negative: { readonly offset: number; readonly bucketCounts: number[] }
}
