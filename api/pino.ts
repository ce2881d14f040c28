// upkeep/pino: 4 values, 9 types. Written by `npm run api`; do not edit.

/** @stable */
export interface FastifyLogger {
    level: string;
    child(bindings: Record<string, never>): unknown;
}

/** @stable */
export interface LineDestination {
    write(line: string): unknown;
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
export type PinoCallback<Parameters extends readonly unknown[], Result> = {
    method(...parameters: Parameters): Result;
}['method'];

/** @stable */
export interface PinoLogger {
    level: string;
    readonly levelVal: number;
    readonly levels: {
        readonly values: Readonly<Record<string, number>>;
    };
    onChild(child: PinoLogger): void;
    readonly warn?: ((details: object, message: string) => void) | undefined;
    readonly error?: ((details: object, message: string) => void) | undefined;
}

/** @stable */
export interface PinoRecordOptions {
    readonly application: LoggingApplication;
    readonly format?: 'json' | 'ecs' | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface PinoRecordShape {
    readonly messageKey: string;
    readonly timestamp: () => string;
    readonly base: Record<string, unknown>;
    readonly mixin: PinoCallback<[
        mergeObject: object,
        level: number,
        logger: unknown
    ], object>;
    readonly formatters: {
        readonly level: (label: string, number: number) => object;
        readonly bindings: (bindings: Record<string, unknown>) => object;
        readonly log?: (object: Record<string, unknown>) => Record<string, unknown>;
    };
    readonly onChild: PinoCallback<[
        child: unknown
    ], void>;
}

/** @stable */
export interface PinoUserOptions {
    readonly name?: string | undefined;
    readonly base?: Readonly<Record<string, unknown>> | null | undefined;
    readonly nestedKey?: string | undefined;
    readonly errorKey?: string | undefined;
    readonly transport?: unknown;
    readonly mixin?: PinoCallback<[
        mergeObject: object,
        level: number,
        logger: PinoLogger
    ], object> | undefined;
    readonly formatters?: {
        readonly level?: ((label: string, number: number) => object) | undefined;
        readonly bindings?: ((bindings: Record<string, unknown>) => object) | undefined;
        readonly log?: ((object: Record<string, unknown>) => Record<string, unknown>) | undefined;
    } | undefined;
    readonly onChild?: PinoCallback<[
        child: PinoLogger
    ], void> | undefined;
}

/** @stable */
export interface TraceFields {
    trace_id?: string;
    span_id?: string;
    trace_flags?: string;
}

/** @stable */
export function pinoLoggers(given: PinoLogger | FastifyLogger): Loggers;

/** @stable */
export function pinoOptions<const O extends object = Record<never, never>>(record: PinoRecordOptions, options?: O & PinoUserOptions): Omit<O, keyof PinoRecordShape | 'name'> & PinoRecordShape;

/** @stable */
export function pinoTraceMixin(_mergeObject: object, level: number, logger: unknown): TraceFields;

/** @stable */
export function plainText(destination?: LineDestination): LineDestination;
