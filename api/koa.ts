// upkeep/koa: 5 values, 2 types. Written by `npm run api`; do not edit.

/** @stable */
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
    readonly _matchedRoute?: string | RegExp | undefined;
    readonly response: {
        readonly status: number;
        readonly _explicitStatus?: boolean | undefined;
    };
    readonly originalUrl: string;
    mountPath?: string | undefined;
    url: string;
    status: number;
    body: unknown;
    set(fields: Record<string, string>): void;
    remove(field: string): void;
}

/** @stable */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>;

/** @stable */
export function handleErrors({ report }?: HandleErrorsOptions): KoaMiddleware;

/** @stable */
export function manage(management: Management): KoaMiddleware;

/** @stable */
export function notFound(): KoaMiddleware;

/** @stable */
export function observe(management: Management): KoaMiddleware;

/** @stable */
export function serve(resources: RequestHandler): KoaMiddleware;
