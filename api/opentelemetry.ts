// upkeep/opentelemetry: 2 values, 4 types. Written by `npm run api`; do not edit.

export interface MeteredApplication {
    readonly meters: MeterRegistry;
    readonly report?: Report | undefined;
}

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

export interface RegisterProviderOptions {
    readonly api?: OpenTelemetryApi | undefined;
}

export interface TracedApplication {
    readonly report?: Report | undefined;
}

export function registerMeterProvider(management: MeteredApplication, options?: RegisterProviderOptions): () => void;

export function registerTracerProvider(management?: TracedApplication, options?: RegisterProviderOptions): () => void;
