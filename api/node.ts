// upkeep/node: 14 values, 22 types. Written by `npm run api`; do not edit.

export interface Capture {
    readonly id: string;
    readonly rule: CaptureRule;
    readonly time: string;
    readonly reason: string;
    readonly type: 'wall' | 'heap' | 'report';
    readonly bytes: number;
    readonly details: Readonly<Record<string, unknown>>;
}

export type CaptureRule = (typeof captureRules)[number];

export interface DiagnosticThread {
    readonly profile?: ProfileOptions | undefined;
    readonly recorder?: RecorderOptions | undefined;
    attach(port: MessagePort, expectBlock?: ExpectBlock): () => void;
}

export interface ErrorBurstOptions {
    readonly count?: number | undefined;
    readonly within?: Duration | undefined;
}

export type ExpectBlock = (milliseconds: number) => () => void;

export interface GracefulShutdown {
    shutdown(reason?: string, start?: 'delayed' | 'immediately'): Promise<readonly ShutdownStep[]>;
    readonly finished: Promise<readonly ShutdownStep[]>;
    readonly draining: AbortSignal;
    remove(): void;
}

export interface HandleErrorsOptions {
    readonly report?: Report | undefined;
}

export interface HeapDumpOptions {
    readonly factor?: number | undefined;
    readonly directory?: string | undefined;
    readonly maximumBlock?: Duration | undefined;
}

export interface ListenOptions {
    readonly port: number;
    readonly host?: string | undefined;
    readonly headersTimeout?: Duration | undefined;
    readonly requestTimeout?: Duration | undefined;
    readonly idleTimeout?: Duration | undefined;
}

export interface Listening {
    readonly server: Server;
    readonly address: AddressInfo;
    close(): Promise<void>;
}

export interface ManagedApplication {
    readonly availability: Availability;
    readonly report?: Report | undefined;
    readonly endStreams?: (() => void) | undefined;
    readonly onShutdownRequest?: ((start: (reason: string) => unknown) => () => void) | undefined;
}

export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => unknown) => unknown;

export interface ObserveOptions {
    readonly route?: ((req: IncomingMessage) => string | undefined) | undefined;
}

export interface ProfileOptions {
    readonly interval?: Duration | undefined;
    readonly heapInterval?: number | undefined;
    readonly separateFunctions?: boolean | undefined;
}

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

export interface RequestSurroundings {
    readonly target?: string | undefined;
    readonly protocol?: string | undefined;
    readonly mountPath?: string | undefined;
    readonly parsedBody?: unknown;
    readonly response?: ServerResponse | undefined;
    readonly requestId?: string | undefined;
}

export interface ShutdownHook {
    readonly name: string;
    readonly run: (signal: AbortSignal) => unknown;
    readonly timeout?: Duration | undefined;
}

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

export type ShutdownStep = {
    readonly name: string;
    readonly milliseconds: number;
} & ({
    readonly outcome: 'done' | 'timed out';
} | {
    readonly outcome: 'failed';
    readonly error: unknown;
});

export interface Watchdog {
    readonly port: number;
    close(): Promise<void>;
}

export interface WatchdogOptions {
    readonly port: number;
    readonly host?: string | undefined;
    readonly stall?: Duration | undefined;
    readonly basePath?: string | undefined;
    readonly token?: string | readonly string[] | undefined;
    readonly showStack?: boolean | undefined;
    readonly report?: Report | undefined;
}

export interface WatchedManagement {
    readonly availability: Availability;
    readonly report?: Report | undefined;
    readonly diagnostics?: DiagnosticThread | undefined;
}

export function handleClientErrors(server: Server): void;

export function handleErrors(handler: (req: IncomingMessage, res: ServerResponse) => unknown, { report }?: HandleErrorsOptions): (req: IncomingMessage, res: ServerResponse) => void;

export function incomingMessageOf(request: ManagementRequest): IncomingMessage | undefined;

export function listen(management: Management, options: ListenOptions): Promise<Listening>;

export function manage(management: Management): NodeHandler;

export function notFound(): NodeHandler;

export function observe(management: Management, options?: ObserveOptions): NodeHandler;

export function sendError(error: unknown, request: ManagementRequest, res: ServerResponse, report: Report): void;

export function sendResponse(res: ServerResponse, response: ManagementResponse): Promise<void>;

export function sendWhenReady(res: ServerResponse, response: MaybePromise<ManagementResponse>): MaybePromise<void>;

export function serve(resources: RequestHandler): NodeHandler;

export function shutdownGracefully(server: Server | readonly Server[], { availability, report: inherited, endStreams, onShutdownRequest }: ManagedApplication, options?: ShutdownOptions): GracefulShutdown;

export function toManagementRequest(req: IncomingMessage, surroundings?: RequestSurroundings): ManagementRequest;

export function watchdog(management: WatchedManagement, options: WatchdogOptions): Promise<Watchdog>;
