// upkeep/fetch: 8 values, 4 types. Written by `npm run api`; do not edit.

export type FetchHandler = (request: Request) => MaybePromise<Response> | undefined;

export interface HandleErrorsOptions {
    readonly report?: Report | undefined;
}

export interface ObserveOptions {
    readonly route?: ((request: Request) => string | undefined) | undefined;
}

export interface RequestSurroundings {
    readonly requestId?: string | undefined;
    readonly target?: string | undefined;
    readonly extendIdleTimeout?: ((milliseconds: number) => void) | undefined;
}

export function handleErrors<A extends unknown[]>(handler: (request: Request, ...rest: A) => MaybePromise<Response>, { report }?: HandleErrorsOptions): (request: Request, ...rest: A) => Promise<Response>;

export function manage(management: Management): FetchHandler;

export function notFound(): (request: Request) => Response;

export function observe(management: Management, options?: ObserveOptions): (request: Request, next: () => MaybePromise<Response>) => MaybePromise<Response>;

export function serve(resources: RequestHandler): FetchHandler;

export function toBody(body: ResponseBody): string | Uint8Array | ReadableStream<Uint8Array> | null;

export function toManagementRequest(request: Request, surroundings?: RequestSurroundings): ManagementRequest;

export function toResponse({ status, headers, body }: ManagementResponse): Response;
