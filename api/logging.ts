// upkeep/logging: 5 values, 14 types. Written by `npm run api`; do not edit.

export interface AuditEvent {
    readonly timestamp: string;
    readonly principal: string | undefined;
    readonly tool?: string;
    readonly type: 'change' | 'download';
    readonly endpoint: string;
    readonly method: string;
    readonly path: string;
    readonly outcome: 'success' | 'failure';
    readonly status: number | undefined;
}

export interface CreateLoggerOptions {
    readonly application: LoggingApplication;
    readonly level?: LogLevel | undefined;
    readonly levels?: Readonly<Record<string, LogLevel>> | undefined;
    readonly format?: 'json' | 'ecs' | 'text' | undefined;
    readonly write?: ((line: string) => void) | undefined;
    readonly clock?: Clock | undefined;
}

export type Level = (typeof levelNames)[number];

export type Log = (message: string, details?: unknown) => void;

export interface LogEvent {
    readonly time: number;
    readonly level: string;
    readonly severity: number;
    readonly logger: string;
    readonly message: string | undefined;
    readonly error: LoggedError | undefined;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly trace: TraceContext | undefined;
}

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

export type LogSink = (event: LogEvent) => void;

export interface LoggedError {
    readonly type: string | undefined;
    readonly message: string | undefined;
    readonly stack: string | undefined;
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
    readonly version?: string | undefined;
    readonly environment?: string | undefined;
    readonly nodeName?: string | undefined;
}

export interface TraceFields {
    trace_id?: string;
    span_id?: string;
    trace_flags?: string;
}

export function addLogSink(sink: LogSink): () => void;

export function captureConsole(): () => void;

export function createLogger(options: CreateLoggerOptions): Logger;

export function formatPlainText(record: Readonly<Record<string, unknown>>): string;

export function withoutLogSinks<R>(work: () => R): R;
