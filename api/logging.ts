// upkeep/logging: 2 values, 10 types. Written by `npm run api`; do not edit.

export interface CreateLoggerOptions {
    readonly application: LoggingApplication;
    readonly level?: LogLevel | undefined;
    readonly levels?: Readonly<Record<string, LogLevel>> | undefined;
    readonly format?: 'json' | 'text' | undefined;
    readonly write?: ((line: string) => void) | undefined;
    readonly clock?: Clock | undefined;
}

export type Level = (typeof levelNames)[number];

export type Log = (message: string, details?: unknown) => void;

export type LogLevel = Exclude<Level, 'FATAL'>;

export interface LogRecord {
    readonly timestamp: string;
    readonly level: string;
    readonly logger: string;
    readonly message: string;
    readonly 'service.name': string;
    readonly trace_id?: string;
    readonly span_id?: string;
    readonly trace_flags?: string;
    readonly thread: string;
    readonly [field: string]: unknown;
}

export interface Logger {
    readonly name: string;
    readonly error: Log;
    readonly warn: Log;
    readonly info: Log;
    readonly debug: Log;
    readonly trace: Log;
    isEnabled(level: Exclude<LogLevel, 'OFF'>): boolean;
    child(fields: {
        readonly logger?: string;
        readonly [field: string]: unknown;
    }): Logger;
    readonly loggers: Loggers;
}

export interface LoggerLevel {
    readonly configuredLevel?: Level;
    readonly effectiveLevel: Level;
}

export interface Loggers {
    readonly levels: readonly Level[];
    names(): readonly string[];
    level(name: string): LoggerLevel | undefined;
    configure(name: string, level: Level | undefined): void;
    readonly report?: Report | undefined;
}

export interface LoggingApplication {
    readonly name: string;
}

export interface TraceFields {
    trace_id?: string;
    span_id?: string;
    trace_flags?: string;
}

export function createLogger({ application, level: rootLevel, levels, format, write, clock, }: CreateLoggerOptions): Logger;

export function formatPlainText(record: Readonly<Record<string, unknown>>): string;
