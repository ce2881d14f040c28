// upkeep/adapter: 20 values, 22 types. Written by `npm run api`; do not edit.

/** @experimental */
export interface AppRoute {
    readonly method: string;
    readonly path: string;
    readonly archetype?: Archetype | undefined;
    readonly handler?: string | undefined;
    readonly isPattern?: boolean | undefined;
}

/** @experimental */
export interface Clock {
    wallTime(): number;
    monotonicTime(): number;
}

/** @experimental */
export interface EndedRequest {
    readonly method: string;
    readonly template: string | undefined;
    readonly status: number;
    readonly sentStatus: number | undefined;
    readonly isAborted: boolean;
    readonly seconds: number;
    readonly endedAt: number;
    readonly error: unknown;
    readonly exception: string;
    readonly trace: TraceContext | undefined;
    readonly path: string;
    readonly target: string;
    readonly scheme: 'http' | 'https';
    readonly authority: string | undefined;
    readonly requestBytes: number | undefined;
    readonly responseBytes: number | undefined;
    requestHeader(name: string): string | undefined;
    responseHeader(name: string): string | undefined;
}

/** @experimental */
export type ErrorCode = 'UPKEEP_EARGUMENT' | 'UPKEEP_ECAPTURE' | 'UPKEEP_ECHECK' | 'UPKEEP_ECLOCK' | 'UPKEEP_ECLUSTER' | 'UPKEEP_EDELIVERY' | 'UPKEEP_EMETER' | 'UPKEEP_EOPTION' | 'UPKEEP_EPACKAGE' | 'UPKEEP_EPERMISSION' | 'UPKEEP_ERETURN' | 'UPKEEP_ESTATE' | 'UPKEEP_EWORKERS';

/** @experimental */
export interface ErrorDocument {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly detail?: string;
    readonly instance?: string;
    readonly trace_id?: string;
    readonly request_id?: string;
    readonly errors?: readonly Fault[];
    readonly [member: string]: unknown;
}

/** @experimental */
export interface ErrorHandling<R> {
    readonly message: ObservedMessage;
    readonly report: Report;
    readonly publicError?: unknown;
    readonly removeHeader?: ((name: string) => void) | undefined;
    readonly send: (response: ManagementResponse) => R;
}

/** @experimental */
export type ForeignNames = Readonly<Record<string, string>>;

/** @experimental */
export interface KnownOptionsContext {
    readonly path?: readonly string[] | undefined;
    readonly foreignNames?: ForeignNames | undefined;
}

/** @experimental */
export interface Management {
    (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined;
    readonly availability: Availability;
    readonly health: ManagementHealth;
    readonly application: ManagementOptions['application'];
    readonly paths: Readonly<Record<string, string>>;
    readonly probes: Management;
    readonly meters: MeterRegistry;
    readonly measurements: SnapshotSource;
    readonly observation: Observation;
    readonly mappings: Mappings;
    readonly report: Report;
    readonly diagnostics: DiagnosticThread;
    readonly cluster: ClusterHost;
    describeOperations(): readonly DescribedOperation[];
    readonly draining: AbortSignal;
    endStreams(): void;
    onShutdownRequest(start: (reason: string) => unknown): () => void;
    close(): void;
}

/** @experimental */
export interface ManagementRequest {
    readonly method: string;
    readonly target: string;
    readonly headers: MessageHeaders;
    readonly body: () => MessageBody;
    readonly base: string;
    readonly mountPath?: string | undefined;
    readonly requestId?: string | undefined;
    readonly traceId?: string | undefined;
    readonly remoteAddress?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly extendIdleTimeout?: ((milliseconds: number) => void) | undefined;
}

/** @experimental */
export interface ManagementResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: ResponseBody;
}

/** @experimental */
export interface Mappings {
    register(app: object, framework: string, read: () => readonly AppRoute[]): void;
}

/** @experimental */
export type MaybePromise<T> = T | Promise<T>;

/** @experimental */
export type MessageBody = {
    readonly kind: 'bytes';
    readonly bytes: AsyncIterable<Uint8Array>;
} | {
    readonly kind: 'parsed';
    readonly value: unknown;
};

/** @experimental */
export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @experimental */
export interface Observation extends Decorators {
    begin<S, R>(response: ServerResponse, source: S, route: (source: S) => string | undefined, next: () => R): R;
    prepare(): void;
    enter<S>(response: ServerResponse, source: S, route: (source: S) => string | undefined): void;
    beginFetch<S>(request: Request, source: S, route: (source: S) => string | undefined, next: () => MaybePromise<Response>): MaybePromise<Response>;
    resume<R>(message: ObservedMessage, next: () => R): R;
    excludeFromObservation(message: ObservedMessage): void;
    span<R>(name: string, work: (span: Span | undefined) => R, options?: SpanWorkOptions): R;
    redactPath(path: string, template?: string): string;
    onRequestEnd(subscriber: RequestSubscriber): () => void;
    recordClientRequest(request: ClientRequest): void;
    attach(begin: BeginInstrument): () => void;
}

/** @experimental */
export type ObservedMessage = ServerResponse | Request;

/** @experimental */
export type Report = (message: string, cause?: unknown) => void;

/** @experimental */
export interface RequestHandler {
    (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined;
    readonly templateOf?: ((request: ManagementRequest) => string | undefined) | undefined;
}

/** @experimental */
export type RequestSubscriber = (request: EndedRequest) => void;

/** @experimental */
export type ResponseBody = string | Uint8Array | StreamedContent | null;

/** @experimental */
export interface StreamedContent extends AsyncIterable<Uint8Array> {
    borrow?(): AsyncIterable<Uint8Array>;
}

/** @experimental */
export function authorityOf(target: string): string | undefined;

/** @experimental */
export function errorResponse(error: unknown, request: ManagementRequest): ManagementResponse;

/** @experimental */
export function expressRoutes(app: object): readonly AppRoute[] | undefined;

/** @experimental */
export function handleError<R>(error: unknown, request: ManagementRequest, handling: ErrorHandling<R>): R;

/** @experimental */
export function koaRoutes(app: object): readonly AppRoute[] | undefined;

/** @experimental */
export function markServed<M extends object>(middleware: M, resources: object): M;

/** @experimental */
export function mountTemplate(path: string): string | undefined;

/** @experimental */
export function notFoundResponse(request: ManagementRequest): ManagementResponse;

/** @experimental */
export function originForm(target: string): string;

/** @experimental */
export function recordError(message: ObservedMessage, error: unknown): void;

/** @experimental */
export const reportToConsole: Report;

/** @experimental */
export function reportedPath(message: ObservedMessage, target: string): string;

/** @experimental */
export const representationHeaders: readonly string[];

/** @experimental */
export function requireKnownOptions<O extends object>(where: string, options: O, known: readonly Extract<keyof O, string>[], { path, foreignNames }?: KnownOptionsContext): void;

/** @experimental */
export function respondToError<R>(error: unknown, request: ManagementRequest, report: Report, respond: (response: ManagementResponse) => R, path?: string): R;

/** @experimental */
export function servedRoutes(middleware: unknown): readonly AppRoute[] | undefined;

/** @experimental */
export function setRoute(message: ObservedMessage, template: string | undefined): void;

/** @experimental */
export const systemClock: Clock;

/** @experimental */
export function traceIdOf(message: ObservedMessage): string | undefined;

/** @experimental */
export function withErrorCode<E extends Error>(error: E, code: ErrorCode): E & {
    readonly code: ErrorCode;
};
