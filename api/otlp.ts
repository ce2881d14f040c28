// upkeep/otlp: 2 values, 22 types. Written by `npm run api`; do not edit.

/** @stable */
export interface ApplicationName {
    readonly name: string;
    readonly version?: string | undefined;
}

/** @stable */
export interface CollectedExponentialHistogram {
    readonly count: number;
    readonly sum: number;
    readonly scale: number;
    readonly zeroCount: number;
    readonly positive: {
        readonly offset: number;
        readonly bucketCounts: number[];
    };
    readonly negative: {
        readonly offset: number;
        readonly bucketCounts: number[];
    };
}

/** @stable */
export interface CollectedHistogram {
    readonly buckets: {
        readonly boundaries: number[];
        readonly counts: number[];
    };
    readonly sum: number;
    readonly count: number;
}

/** @stable */
export type CollectedMetric = MetricHeader & ({
    readonly dataPointType: 0;
    readonly dataPoints: CollectedPoint<CollectedHistogram>[];
} | {
    readonly dataPointType: 1;
    readonly dataPoints: CollectedPoint<CollectedExponentialHistogram>[];
} | {
    readonly dataPointType: 2;
    readonly dataPoints: CollectedPoint<number>[];
} | {
    readonly dataPointType: 3;
    readonly dataPoints: CollectedPoint<number>[];
    readonly isMonotonic: boolean;
});

/** @stable */
export interface CollectedMetrics {
    readonly resource: CollectedResource;
    readonly scopeMetrics: CollectedScope[];
}

/** @stable */
export interface CollectedPoint<T> {
    readonly startTime: [
        seconds: number,
        nanoseconds: number
    ];
    readonly endTime: [
        seconds: number,
        nanoseconds: number
    ];
    readonly attributes: Readonly<Record<string, string | number>>;
    readonly value: T;
}

/** @stable */
export interface CollectedResource {
    readonly attributes: Readonly<Record<string, never>>;
    merge<Other>(other: Other | null): Other | this;
    getRawAttributes(): [
    ];
}

/** @stable */
export interface CollectedScope {
    readonly scope: {
        readonly name: string;
        readonly version: string;
    };
    readonly metrics: CollectedMetric[];
}

/** @stable */
export interface ExportedCluster {
    readonly measurements: SnapshotSource;
    readonly id: string;
    isFirst(): boolean;
}

/** @stable */
export interface FailedRequestsOptions {
    readonly slowerThan?: Duration | undefined;
}

/** @stable */
export interface LogsExportOptions extends ReceiverOptions {
    readonly url?: string | undefined;
    readonly enabled?: boolean | undefined;
    readonly level?: 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL' | undefined;
    readonly console?: boolean | undefined;
    readonly maximumQueueSize?: number | undefined;
    readonly maximumQueueBytes?: number | undefined;
    readonly maximumBatchSize?: number | undefined;
    readonly delay?: Duration | undefined;
}

/** @stable */
export interface MeasuredApplication {
    readonly meters: MeterRegistry;
    readonly measurements?: SnapshotSource | undefined;
    readonly application?: ApplicationName | undefined;
    readonly report?: Report | undefined;
}

/** @stable */
export interface MetricCollection {
    readonly resourceMetrics: CollectedMetrics;
    readonly errors: unknown[];
}

/** @stable */
export interface MetricHeader {
    readonly descriptor: {
        readonly name: string;
        readonly description: string;
        readonly unit: string;
        readonly valueType: 1;
    };
    readonly aggregationTemporality: 0 | 1;
}

/** @stable */
export interface MetricProducer {
    collect(): Promise<MetricCollection>;
}

/** @stable */
export interface MetricProducerOptions {
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface MetricsExportOptions extends ReceiverOptions {
    readonly url?: string | undefined;
    readonly step?: Duration | undefined;
    readonly temporality?: 'cumulative' | 'delta' | 'lowmemory' | undefined;
    readonly enabled?: boolean | undefined;
}

/** @stable */
export interface ReceiverOptions {
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly timeout?: Duration | undefined;
    readonly compression?: 'gzip' | 'none' | undefined;
    readonly protocol?: 'http/protobuf' | 'http/json' | undefined;
}

/** @stable */
export type ResourceAttributes = Readonly<Record<string, string | number | boolean>>;

/** @stable */
export interface Telemetry {
    readonly name: 'telemetry';
    readonly run: (signal: AbortSignal) => Promise<void>;
    readonly timeout: Duration;
    flush(timeout?: Duration): Promise<void>;
    shutdown(signal?: AbortSignal): Promise<void>;
}

/** @stable */
export interface TelemetryOptions extends ReceiverOptions {
    readonly management: MeasuredApplication;
    readonly cluster?: ExportedCluster | undefined;
    readonly application?: ApplicationName | undefined;
    readonly exporter?: 'upkeep' | 'opentelemetry' | undefined;
    readonly url?: string | undefined;
    readonly tracing?: TracingExportOptions | false | undefined;
    readonly metrics?: MetricsExportOptions | false | undefined;
    readonly logs?: LogsExportOptions | false | undefined;
    readonly keepFailedRequests?: boolean | FailedRequestsOptions | undefined;
    readonly resource?: ResourceAttributes | undefined;
    readonly enabled?: boolean | undefined;
    readonly schedule?: 'interval' | 'flush' | undefined;
    readonly flushTimeout?: Duration | undefined;
    readonly report?: Report | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface TracingExportOptions extends ReceiverOptions {
    readonly url?: string | undefined;
    readonly probability?: number | undefined;
    readonly enabled?: boolean | undefined;
    readonly maximumQueueSize?: number | undefined;
    readonly maximumQueueBytes?: number | undefined;
    readonly maximumBatchSize?: number | undefined;
    readonly delay?: Duration | undefined;
}

/** @stable */
export function createMetricProducer(source: SnapshotSource, options?: MetricProducerOptions): MetricProducer;

/** @stable */
export function startTelemetry(options: TelemetryOptions): Promise<Telemetry>;
