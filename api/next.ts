// upkeep/next: 4 values, 3 types. Written by `npm run api`; do not edit.

/** @stable */
export interface RegisterOptions extends ManagementOptions {
    readonly telemetry?: Omit<TelemetryOptions, 'management'> | undefined;
    readonly shutdown?: ShutdownOptions | false | undefined;
}

/** @stable */
export type RouteHandler = (request: Request) => Promise<Response>;

/** @stable */
export type RouteHandlers = Readonly<Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', RouteHandler>>;

/** @stable */
export function manage(): RouteHandlers;

/** @stable */
export function management(): Management;

/** @stable */
export function onRequestError(error: unknown): void;

/** @stable */
export function registerManagement(options?: RegisterOptions): Promise<void>;
