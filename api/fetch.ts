// upkeep/fetch: 8 values, 4 types. Written by `npm run api`; do not edit.

/** @stable */
export type FetchHandler = (request: Request) => MaybePromise<Response> | undefined;

/** @stable */
export interface HandleErrorsOptions {
    readonly report?: Report | undefined;
}

/** @stable */
export interface ObserveOptions {
    readonly route?: ((request: Request) => string | undefined) | undefined;
}

/** @stable */
export interface RequestSurroundings {
    readonly requestId?: string | undefined;
    readonly target?: string | undefined;
    readonly extendIdleTimeout?: ((milliseconds: number) => void) | undefined;
}

/** @stable */
export function handleErrors<A extends unknown[]>(handler: (request: Request, ...rest: A) => MaybePromise<Response>, { report }?: HandleErrorsOptions): (request: Request, ...rest: A) => Promise<Response>;

/** @stable */
export function manage(management: Management): FetchHandler;

/** @stable */
export function notFound(): (request: Request) => Response;

/** @stable */
export function observe(management: Management, options?: ObserveOptions): (request: Request, next: () => MaybePromise<Response>) => MaybePromise<Response>;

/** @stable */
export function serve(resources: RequestHandler): FetchHandler;

/** @stable */
export function toBody(body: ResponseBody): string | Uint8Array | ReadableStream<Uint8Array> | null;

/** @stable */
export function toManagementRequest(request: Request, surroundings?: RequestSurroundings): ManagementRequest;

/** @stable */
export function toResponse({ status, headers, body }: ManagementResponse): Response;
