// upkeep/opentelemetry: 2 values, 4 types. Written by `npm run api`; do not edit.

/** @stable */
export interface MeteredApplication {
    readonly meters: MeterRegistry;
    readonly report?: Report | undefined;
}

/** @stable */
export interface OpenTelemetryApi {
    readonly metrics: {
        disable(): void;
    };
    readonly trace: {
        disable(): void;
    };
    readonly context: {
        disable(): void;
    };
    readonly propagation: {
        disable(): void;
    };
}

/** @stable */
export interface RegisterProviderOptions {
    readonly api?: OpenTelemetryApi | undefined;
}

/** @stable */
export interface TracedApplication {
    readonly report?: Report | undefined;
}

/** @stable */
export function registerMeterProvider(management: MeteredApplication, options?: RegisterProviderOptions): () => void;

/** @stable */
export function registerTracerProvider(management?: TracedApplication, options?: RegisterProviderOptions): () => void;
