// upkeep/node: 15 values, 23 types. Written by `npm run api`; do not edit.

/** @experimental */
export interface Capture {
    readonly id: string;
    readonly rule: CaptureRule;
    readonly time: string;
    readonly reason: string;
    readonly type: 'wall' | 'heap' | 'report';
    readonly bytes: number;
    readonly details: Readonly<Record<string, unknown>>;
}

/** @experimental */
export type CaptureRule = (typeof captureRules)[number];

/** @stable */
export interface DiagnosticThread {
    readonly profile?: ProfileOptions | undefined;
    readonly recorder?: RecorderOptions | undefined;
    attach(port: MessagePort, expectBlock?: ExpectBlock): () => void;
}

/** @experimental */
export interface ErrorBurstOptions {
    readonly count?: number | undefined;
    readonly within?: Duration | undefined;
}

/** @stable */
export type ExpectBlock = (milliseconds: number) => () => void;

/** @stable */
export interface GracefulShutdown {
    shutdown(reason?: string, start?: 'delayed' | 'immediately'): Promise<readonly ShutdownStep[]>;
    readonly finished: Promise<readonly ShutdownStep[]>;
    readonly draining: AbortSignal;
    remove(): void;
}

/** @stable */
export interface HandleErrorsOptions {
    readonly report?: Report | undefined;
}

/** @stable */
export interface HeapDumpOptions {
    readonly factor?: number | undefined;
    readonly directory?: string | undefined;
    readonly maximumBlock?: Duration | undefined;
}

/** @stable */
export interface ListenOptions {
    readonly port: number;
    readonly host?: string | undefined;
    readonly headersTimeout?: Duration | undefined;
    readonly requestTimeout?: Duration | undefined;
    readonly idleTimeout?: Duration | undefined;
    readonly maxConnections?: number | undefined;
    readonly maxConnectionsPerAddress?: number | undefined;
    readonly tls?: TlsFiles | undefined;
}

/** @stable */
export interface Listening {
    readonly server: Server;
    readonly address: AddressInfo;
    close(): Promise<void>;
}

/** @stable */
export interface ManagedApplication {
    readonly availability: Availability;
    readonly report?: Report | undefined;
    readonly endStreams?: (() => void) | undefined;
    readonly onShutdownRequest?: ((start: (reason: string) => unknown) => () => void) | undefined;
}

/** @stable */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => unknown) => unknown;

/** @stable */
export interface ObserveOptions {
    readonly route?: ((req: IncomingMessage) => string | undefined) | undefined;
}

/** @stable */
export interface ProfileOptions {
    readonly interval?: Duration | undefined;
    readonly heapInterval?: number | undefined;
    readonly separateFunctions?: boolean | undefined;
}

/** @experimental */
export interface RecorderOptions {
    readonly blockedLoop?: Duration | false | undefined;
    readonly memory?: number | false | undefined;
    readonly slowRequest?: Duration | false | undefined;
    readonly errorBurst?: ErrorBurstOptions | false | undefined;
    readonly uncaughtException?: boolean | undefined;
    readonly duration?: Duration | undefined;
    readonly interval?: Duration | undefined;
    readonly maximumCaptures?: number | undefined;
    readonly maximumBytes?: number | undefined;
    readonly directory?: string | undefined;
    readonly maximumDirectoryBytes?: number | undefined;
    readonly onCapture?: ((capture: Capture) => unknown) | undefined;
}

/** @stable */
export interface RequestSurroundings {
    readonly target?: string | undefined;
    readonly protocol?: string | undefined;
    readonly mountPath?: string | undefined;
    readonly parsedBody?: unknown;
    readonly response?: ServerResponse | undefined;
    readonly requestId?: string | undefined;
}

/** @stable */
export interface ShutdownHook {
    readonly name: string;
    readonly run: (signal: AbortSignal) => unknown;
    readonly timeout?: Duration | undefined;
}

/** @stable */
export interface ShutdownOptions {
    readonly signals?: readonly NodeJS.Signals[] | undefined;
    readonly delay?: Duration | undefined;
    readonly timeout?: Duration | undefined;
    readonly hooks?: readonly (ShutdownHook | ShutdownHook['run'])[] | undefined;
    readonly flush?: readonly (ShutdownHook | ShutdownHook['run'])[] | undefined;
    readonly report?: Report | undefined;
    readonly exit?: ((code: number) => void) | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export type ShutdownStep = {
    readonly name: string;
    readonly milliseconds: number;
} & ({
    readonly outcome: 'done' | 'timed out';
} | {
    readonly outcome: 'failed';
    readonly error: unknown;
});

/** @stable */
export interface TlsFiles {
    readonly certFile: string;
    readonly keyFile: string;
    readonly clientCaFile?: string | undefined;
}

/** @stable */
export interface Watchdog {
    readonly port: number;
    close(): Promise<void>;
}

/** @stable */
export interface WatchdogOptions {
    readonly port: number;
    readonly host?: string | undefined;
    readonly stall?: Duration | undefined;
    readonly basePath?: string | undefined;
    readonly token?: string | readonly string[] | undefined;
    readonly showStack?: boolean | undefined;
    readonly report?: Report | undefined;
}

/** @stable */
export interface WatchedManagement {
    readonly availability: Availability;
    readonly report?: Report | undefined;
    readonly diagnostics?: DiagnosticThread | undefined;
}

/** @stable */
export function clientCertificate(): Authorize;

/** @stable */
export function handleClientErrors(server: Server): void;

/** @stable */
export function handleErrors(handler: (req: IncomingMessage, res: ServerResponse) => unknown, { report }?: HandleErrorsOptions): (req: IncomingMessage, res: ServerResponse) => void;

/** @stable */
export function incomingMessageOf(request: ManagementRequest): IncomingMessage | undefined;

/** @stable */
export function listen(management: Management, options: ListenOptions): Promise<Listening>;

/** @stable */
export function manage(management: Management): NodeHandler;

/** @stable */
export function notFound(): NodeHandler;

/** @stable */
export function observe(management: Management, options?: ObserveOptions): NodeHandler;

/** @stable */
export function sendError(error: unknown, request: ManagementRequest, res: ServerResponse, report: Report): void;

/** @stable */
export function sendResponse(res: ServerResponse, response: ManagementResponse): Promise<void>;

/** @stable */
export function sendWhenReady(res: ServerResponse, response: MaybePromise<ManagementResponse>): MaybePromise<void>;

/** @stable */
export function serve(resources: RequestHandler): NodeHandler;

/** @stable */
export function shutdownGracefully(server: Server | readonly Server[], { availability, report: inherited, endStreams, onShutdownRequest }: ManagedApplication, options?: ShutdownOptions): GracefulShutdown;

/** @stable */
export function toManagementRequest(req: IncomingMessage, surroundings?: RequestSurroundings): ManagementRequest;

/** @stable */
export function watchdog(management: WatchedManagement, options: WatchdogOptions): Promise<Watchdog>;
