// upkeep/hono: 5 values, 0 types. Written by `npm run api`; do not edit.

export function handleErrors({ report, }?: HandleErrorsOptions): (error: Error, context: Context) => Response;

export function manage(management: Management): MiddlewareHandler;

export function notFound(): (context: Context) => Response;

export function observe(management: Management): MiddlewareHandler;

export function serve(resources: RequestHandler): MiddlewareHandler;
