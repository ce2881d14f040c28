// upkeep/winston: 4 values, 6 types. Written by `npm run api`; do not edit.

/** @stable */
export interface Loggers {
    readonly levels: readonly Level[];
    names(): readonly string[];
    level(name: string): LoggerLevel | undefined;
    configure(name: string, level: Level | undefined): void;
    readonly report?: Report | undefined;
}

/** @stable */
export type NamedWinstonLoggers = {
    readonly loggers: ReadonlyMap<string, WinstonLogger>;
} | Readonly<Record<string, WinstonLogger>>;

/** @stable */
export interface WinstonFormat {
    transform(info: WinstonInfo, options?: unknown): WinstonInfo;
}

/** @stable */
export interface WinstonInfo {
    level: string;
    message: unknown;
    [field: string | symbol]: unknown;
}

/** @stable */
export interface WinstonLogger {
    level: string;
    readonly levels: Readonly<Record<string, number>>;
    silent: boolean;
    readonly log?: ((level: string, message: string, meta: object) => unknown) | undefined;
}

/** @stable */
export interface WinstonRecordOptions {
    readonly application: LoggingApplication;
    readonly format?: 'json' | 'ecs' | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export function logRecord(options: WinstonRecordOptions): WinstonFormat;

/** @stable */
export function plainText(): WinstonFormat;

/** @stable */
export function traceFormat(): WinstonFormat;

/** @stable */
export function winstonLoggers(root: WinstonLogger, named?: NamedWinstonLoggers): Loggers;
