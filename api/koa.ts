// upkeep/koa: 5 values, 1 types. Written by `npm run api`; do not edit.

export interface KoaContext {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly request: {
        readonly body?: unknown;
    };
    readonly app: {
        emit(event: 'error', error: unknown, context: unknown): unknown;
    };
    readonly protocol: string;
    readonly headerSent: boolean;
    readonly mountPath?: string | undefined;
    readonly _matchedRoute?: string | RegExp | undefined;
    url: string;
    status: number;
    body: unknown;
    set(fields: Record<string, string>): void;
    remove(field: string): void;
}

export function handleErrors({ report }?: HandleErrorsOptions): Middleware;

export function manage(management: Management): Middleware;

export function notFound(): Middleware;

export function observe(management: Management): Middleware;

export function serve(resources: RequestHandler): Middleware;
