// upkeep/logging: 5 values, 15 types. Written by `npm run api`; do not edit.

/** @stable */
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

/** @stable */
export interface AuditFile {
    readonly file: string;
}

/** @stable */
export interface CreateLoggerOptions {
    readonly application: LoggingApplication;
    readonly level?: LogLevel | undefined;
    readonly levels?: Readonly<Record<string, LogLevel>> | undefined;
    readonly format?: 'json' | 'ecs' | 'text' | undefined;
    readonly write?: ((line: string) => void) | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export type Level = (typeof levelNames)[number];

/** @stable */
export type Log = (message: string, details?: unknown) => void;

/** @stable */
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

/** @stable */
export type LogLevel = Exclude<Level, 'FATAL'>;

/** @stable */
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

/** @stable */
export type LogSink = (event: LogEvent) => void;

/** @stable */
export interface LoggedError {
    readonly type: string | undefined;
    readonly message: string | undefined;
    readonly stack: string | undefined;
}

/** @stable */
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

/** @stable */
export interface LoggerLevel {
    readonly configuredLevel?: Level;
    readonly effectiveLevel: Level;
}

/** @stable */
export interface Loggers {
    readonly levels: readonly Level[];
    names(): readonly string[];
    level(name: string): LoggerLevel | undefined;
    configure(name: string, level: Level | undefined): void;
    readonly report?: Report | undefined;
}

/** @stable */
export interface LoggingApplication {
    readonly name: string;
    readonly version?: string | undefined;
    readonly environment?: string | undefined;
    readonly nodeName?: string | undefined;
}

/** @stable */
export interface TraceFields {
    trace_id?: string;
    span_id?: string;
    trace_flags?: string;
}

/** @stable */
export function addLogSink(sink: LogSink): () => void;

/** @stable */
export function captureConsole(): () => void;

/** @stable */
export function createLogger(options: CreateLoggerOptions): Logger;

/** @stable */
export function formatPlainText(record: Readonly<Record<string, unknown>>): string;

/** @stable */
export function withoutLogSinks<R>(work: () => R): R;
