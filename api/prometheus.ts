// upkeep/prometheus: 4 values, 5 types. Written by `npm run api`; do not edit.

/** @stable */
export interface ClientRegistry {
    getMetricsAsJSON(): Promise<readonly unknown[]>;
}

/** @stable */
export interface ExpressPromBundleOptions {
    readonly includeStatusCode?: boolean | undefined;
    readonly includeMethod?: boolean | undefined;
    readonly includePath?: boolean | undefined;
    readonly buckets?: readonly number[] | undefined;
}

/** @stable */
export interface PrometheusRegistryOptions {
    readonly timeout?: Duration | undefined;
    readonly report?: Report | undefined;
}

/** @stable */
export interface PushGroup {
    readonly url: string;
    readonly job: string;
    readonly grouping?: Readonly<Record<string, string>> | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly timeout?: Duration | undefined;
}

/** @stable */
export interface PushOptions extends PushGroup {
    readonly mode?: 'replace' | 'add' | undefined;
}

/** @stable */
export function deletePushedMetrics(group: PushGroup): Promise<void>;

/** @stable */
export function expressPromBundle(options?: ExpressPromBundleOptions): MeterFilter;

/** @stable */
export function prometheusRegistry(registry: ClientRegistry, options?: PrometheusRegistryOptions): SnapshotSource;

/** @stable */
export function pushMetrics(meters: SnapshotSource, options: PushOptions): Promise<void>;
