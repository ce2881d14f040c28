// upkeep/otlp: 2 values, 10 types. Written by `npm run api`; do not edit.

export interface ApplicationName {
    readonly name: string;
    readonly version?: string | undefined;
}

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

export interface MeasuredApplication {
    readonly meters: MeterRegistry;
    readonly measurements?: SnapshotSource | undefined;
    readonly application?: ApplicationName | undefined;
    readonly report?: Report | undefined;
}

export interface MetricProducerOptions {
    readonly clock?: Clock | undefined;
}

export interface MetricsExportOptions extends ReceiverOptions {
    readonly url?: string | undefined;
    readonly step?: Duration | undefined;
    readonly temporality?: 'cumulative' | 'delta' | 'lowmemory' | undefined;
    readonly enabled?: boolean | undefined;
}

export interface ReceiverOptions {
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly timeout?: Duration | undefined;
    readonly compression?: 'gzip' | 'none' | undefined;
    readonly protocol?: 'http/protobuf' | 'http/json' | undefined;
}

export type ResourceAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Telemetry {
    readonly name: 'telemetry';
    readonly run: (signal: AbortSignal) => Promise<void>;
    readonly timeout: Duration;
    flush(): Promise<void>;
    shutdown(signal?: AbortSignal): Promise<void>;
}

export interface TelemetryOptions extends ReceiverOptions {
    readonly management: MeasuredApplication;
    readonly application?: ApplicationName | undefined;
    readonly exporter?: 'upkeep' | 'opentelemetry' | undefined;
    readonly url?: string | undefined;
    readonly tracing?: TracingExportOptions | false | undefined;
    readonly metrics?: MetricsExportOptions | false | undefined;
    readonly logs?: LogsExportOptions | false | undefined;
    readonly resource?: ResourceAttributes | undefined;
    readonly enabled?: boolean | undefined;
    readonly flushTimeout?: Duration | undefined;
    readonly report?: Report | undefined;
    readonly clock?: Clock | undefined;
}

export interface TracingExportOptions extends ReceiverOptions {
    readonly url?: string | undefined;
    readonly probability?: number | undefined;
    readonly enabled?: boolean | undefined;
    readonly maximumQueueSize?: number | undefined;
    readonly maximumQueueBytes?: number | undefined;
    readonly maximumBatchSize?: number | undefined;
    readonly delay?: Duration | undefined;
}

export function createMetricProducer(source: SnapshotSource, { clock }?: MetricProducerOptions): MetricProducer;

export function startTelemetry(options: TelemetryOptions): Promise<Telemetry>;
