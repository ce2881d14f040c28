// upkeep/hono: 5 values, 3 types. Written by `npm run api`; do not edit.

export interface HonoApplication {
    readonly routes: readonly HonoRoute[];
}

export interface HonoRoute {
    readonly path: string;
    readonly method: string;
    readonly handler: object;
}

export interface RoutesOptions {
    readonly app?: HonoApplication | undefined;
}

export function handleErrors({ report, }?: HandleErrorsOptions): (error: Error, context: Context) => Response;

export function manage(management: Management, options?: RoutesOptions): MiddlewareHandler;

export function notFound(): (context: Context) => Response;

export function observe(management: Management, options?: RoutesOptions): MiddlewareHandler;

export function serve(resources: RequestHandler): MiddlewareHandler;
