// upkeep/express: 5 values, 5 types. Written by `npm run api`; do not edit.

/** @stable */
export interface ExpressApplication {
    readonly parent?: ExpressApplication | undefined;
    readonly mountpath: ExpressPath;
    readonly router?: unknown;
    readonly _router?: unknown;
}

/** @stable */
export type ExpressPath = string | RegExp | readonly ExpressPath[];

/** @stable */
export interface ExpressRequest extends IncomingMessage {
    readonly baseUrl: string;
    readonly protocol: string;
    readonly body?: unknown;
    readonly originalUrl: string;
    readonly app?: ExpressApplication | undefined;
    readonly route?: ExpressRoute | undefined;
}

/** @stable */
export interface ExpressRoute {
    readonly path: ExpressPath;
}

/** @stable */
export type NextFunction = (error?: unknown) => void;

/** @stable */
export function handleErrors({ report, }?: HandleErrorsOptions): (error: unknown, req: ExpressRequest, res: ServerResponse, next: NextFunction) => void;

/** @stable */
export function manage(management: Management): (req: ExpressRequest, res: ServerResponse, next: NextFunction) => void;

/** @stable */
export function notFound(): (req: ExpressRequest, res: ServerResponse) => void;

/** @stable */
export function observe(management: Management): (req: ExpressRequest, res: ServerResponse, next: NextFunction) => void;

/** @stable */
export function serve(resources: RequestHandler): (req: ExpressRequest, res: ServerResponse, next: NextFunction) => void;
