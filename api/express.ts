// upkeep/express: 5 values, 1 types. Written by `npm run api`; do not edit.

export interface ExpressRequest extends IncomingMessage {
    readonly baseUrl: string;
    readonly protocol: string;
    readonly body?: unknown;
    readonly originalUrl: string;
    readonly app?: Application | undefined;
    readonly route?: Route | undefined;
}

export function handleErrors({ report, }?: HandleErrorsOptions): (error: unknown, req: ExpressRequest, res: ServerResponse, next: Next) => void;

export function manage(management: Management): (req: ExpressRequest, res: ServerResponse, next: Next) => void;

export function notFound(): (req: ExpressRequest, res: ServerResponse) => void;

export function observe(management: Management): (req: ExpressRequest, res: ServerResponse, next: Next) => void;

export function serve(resources: RequestHandler): (req: ExpressRequest, res: ServerResponse, next: Next) => void;
