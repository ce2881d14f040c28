// upkeep/next: 4 values, 3 types. Written by `npm run api`; do not edit.

export interface RegisterOptions extends ManagementOptions {
    readonly telemetry?: Omit<TelemetryOptions, 'management'> | undefined;
    readonly shutdown?: ShutdownOptions | false | undefined;
}

export type RouteHandler = (request: Request) => Promise<Response>;

export type RouteHandlers = Readonly<Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', RouteHandler>>;

export function manage(): RouteHandlers;

export function management(): Management;

export function onRequestError(error: unknown): void;

export function registerManagement(options?: RegisterOptions): Promise<void>;
