// upkeep/prometheus: 4 values, 5 types. Written by `npm run api`; do not edit.

export interface ClientRegistry {
    getMetricsAsJSON(): Promise<readonly unknown[]>;
}

export interface ExpressPromBundleOptions {
    readonly includeStatusCode?: boolean | undefined;
    readonly includeMethod?: boolean | undefined;
    readonly includePath?: boolean | undefined;
    readonly buckets?: readonly number[] | undefined;
}

export interface PrometheusRegistryOptions {
    readonly timeout?: Duration | undefined;
    readonly report?: Report | undefined;
}

export interface PushGroup {
    readonly url: string;
    readonly job: string;
    readonly grouping?: Readonly<Record<string, string>> | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly timeout?: Duration | undefined;
}

export interface PushOptions extends PushGroup {
    readonly mode?: 'replace' | 'add' | undefined;
}

export function deletePushedMetrics(group: PushGroup): Promise<void>;

export function expressPromBundle(options?: ExpressPromBundleOptions): MeterFilter;

export function prometheusRegistry(registry: ClientRegistry, options?: PrometheusRegistryOptions): SnapshotSource;

export function pushMetrics(meters: SnapshotSource, options: PushOptions): Promise<void>;
