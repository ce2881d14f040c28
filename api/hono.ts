// upkeep/hono: 5 values, 3 types. Written by `npm run api`; do not edit.

/** @stable */
export interface HonoApplication {
    readonly routes: readonly HonoRoute[];
}

/** @stable */
export interface HonoRoute {
    readonly path: string;
    readonly method: string;
    readonly handler: object;
}

/** @stable */
export interface RoutesOptions {
    readonly app?: HonoApplication | undefined;
}

/** @stable */
export function handleErrors({ report, }?: HandleErrorsOptions): (error: Error, context: Context) => Response;

/** @stable */
export function manage(management: Management, options?: RoutesOptions): MiddlewareHandler;

/** @stable */
export function notFound(): (context: Context) => Response;

/** @stable */
export function observe(management: Management, options?: RoutesOptions): MiddlewareHandler;

/** @stable */
export function serve(resources: RequestHandler): MiddlewareHandler;
