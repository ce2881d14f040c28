// upkeep/instrumentation: 9 values, 37 types. Written by `npm run api`; do not edit.

export type BeginInstrument = (parts: InstrumentParts) => () => void;

export interface ClientRequest {
    readonly clientName: string;
    readonly address?: string | undefined;
    readonly port?: number | undefined;
    readonly template?: string | undefined;
    readonly method: string;
    readonly status?: number | undefined;
    readonly error?: unknown;
    readonly seconds: number;
}

export type ConnectionPool = PgPool | Mysql2Pool | GenericPool | TarnPool | KnexClient | UndiciPool;

export interface DatabaseCall {
    readonly system: string;
    readonly operation: string;
    readonly namespace?: string | undefined;
    readonly collection?: string | undefined;
    readonly procedure?: string | undefined;
    readonly address?: string | undefined;
    readonly port?: number | undefined;
    readonly batchSize?: number | undefined;
}

export interface DatabaseOperation extends DatabaseCall {
    readonly seconds: number;
    readonly error: unknown;
    readonly statusCode: string | undefined;
}

export interface Decorators {
    timed(options?: MeteredMethodOptions): MethodDecorator;
    counted(options?: MeteredMethodOptions): MethodDecorator;
    traced(options?: TracedMethodOptions): MethodDecorator;
}

export interface EndedRequest {
    readonly method: string;
    readonly template: string | undefined;
    readonly status: number;
    readonly isAborted: boolean;
    readonly seconds: number;
    readonly endedAt: number;
    readonly error: unknown;
    readonly exception: string;
    readonly trace: TraceContext | undefined;
    readonly path: string;
    readonly requestBytes: number | undefined;
    readonly responseBytes: number | undefined;
}

export interface GenericPool {
    readonly borrowed: number;
    readonly available: number;
    readonly pending: number;
    readonly max: number;
    readonly min: number;
    acquire: unknown;
    release: unknown;
    destroy: unknown;
}

export interface HttpClientOptions {
    readonly uri?: ((request: OutgoingRequest) => string | undefined) | undefined;
    readonly clientName?: ((request: OutgoingRequest) => string | undefined) | undefined;
    readonly timed?: boolean | undefined;
}

export interface InstrumentOptions {
    readonly undici?: boolean | HttpClientOptions | undefined;
    readonly http?: boolean | HttpClientOptions | undefined;
    readonly mysql2?: boolean | undefined;
    readonly ioredis?: boolean | undefined;
    readonly redis?: boolean | undefined;
    readonly mongoose?: boolean | undefined;
    readonly mssql?: boolean | undefined;
}

export interface InstrumentParts {
    readonly clock: Clock;
    readonly report: Report;
    readonly record: (request: ClientRequest) => void;
    readonly recordOperation: (operation: DatabaseOperation) => void;
    readonly isTraced: boolean;
    readonly redactPath: RedactPath;
}

export interface Instrumented {
    readonly observation: Pick<Observation, 'attach'>;
}

export interface KnexClient {
    readonly client: {
        readonly pool?: TarnPool | undefined;
    };
}

export interface MeasurableCache {
    get: unknown;
    set: unknown;
    has?: unknown;
    readonly size?: unknown;
}

export interface MeteredMethodOptions {
    readonly name?: string | undefined;
    readonly description?: string | undefined;
}

export type MethodDecorator = <T, A extends unknown[], R>(method: (this: T, ...args: A) => R, context: ClassMethodDecoratorContext<T, (this: T, ...args: A) => R>) => (this: T, ...args: A) => R;

export interface Mysql2CallbackPool {
    readonly config: object;
    getConnection: unknown;
    releaseConnection: unknown;
}

export type Mysql2Pool = Mysql2CallbackPool | {
    readonly pool: Mysql2CallbackPool;
};

export interface NatsHeaders extends Iterable<[
    string,
    string[]
]> {
    set(name: string, value: string): void;
    append(name: string, value: string): void;
}

export interface Observation extends Decorators {
    begin<S, R>(response: ServerResponse, source: S, route: (source: S) => string | undefined, next: () => R): R;
    beginFetch<S>(request: Request, source: S, route: (source: S) => string | undefined, next: () => MaybePromise<Response>): MaybePromise<Response>;
    resume<R>(message: ObservedMessage, next: () => R): R;
    excludeFromObservation(message: ObservedMessage): void;
    span<R>(name: string, work: (span: Span | undefined) => R, options?: SpanWorkOptions): R;
    redactPath(path: string, template?: string): string;
    onRequestEnd(subscriber: RequestSubscriber): () => void;
    recordClientRequest(request: ClientRequest): void;
    attach(begin: BeginInstrument): () => void;
}

export interface ObservationOptions {
    readonly managementRequests?: boolean | undefined;
    readonly redactPath?: ((path: string, template: string | undefined) => string | undefined) | undefined;
}

export interface OutgoingRequest {
    readonly method: string;
    readonly origin: string;
    readonly path: string;
}

export interface PgPool {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
    readonly options: {
        readonly max?: number | undefined;
        readonly min?: number | undefined;
    };
    connect: unknown;
    on(event: string, listener: (...args: unknown[]) => void): unknown;
    removeListener(event: string, listener: (...args: unknown[]) => void): unknown;
}

export interface PiscinaPool {
    readonly threads: readonly unknown[];
    readonly queueSize: number;
    readonly completed: number;
    readonly options: {
        readonly minThreads: number;
        readonly maxThreads: number;
        readonly maxQueue: number;
    };
    run: unknown;
}

export type RedactPath = (path: string, template?: string) => string;

export type RequestSubscriber = (request: EndedRequest) => void;

export interface SpanWorkOptions extends TracedOptions {
    readonly tags?: Tags | undefined;
}

export interface TarnPool {
    readonly max: number;
    readonly min: number;
    numUsed(): number;
    numFree(): number;
    numPendingAcquires(): number;
    on(event: string, listener: (...args: unknown[]) => void): unknown;
    removeListener(event: string, listener: (...args: unknown[]) => void): unknown;
}

export interface TraceableChannel {
    publish(exchange: string, routingKey: string, content: Buffer, ...rest: never[]): boolean;
    sendToQueue(queue: string, content: Buffer, ...rest: never[]): boolean;
    consume(queue: string, onMessage: never, ...rest: never[]): unknown;
}

export interface TraceableConsumer {
    run(config: never): Promise<unknown>;
}

export interface TraceableNats {
    publish(subject: string, ...rest: never[]): void;
    request(subject: string, ...rest: never[]): Promise<unknown>;
    subscribe(subject: string, ...rest: never[]): unknown;
    getServer?(): string;
}

export interface TraceablePostgres {
    query(...args: never[]): unknown;
    connect(...args: never[]): unknown;
}

export interface TraceableProducer {
    send(record: never): Promise<unknown>;
    sendBatch(batch: never): Promise<unknown>;
}

export interface TracedMethodOptions {
    readonly name?: string | undefined;
}

export interface UndiciPool {
    readonly stats: object;
    dispatch: unknown;
}

export type WorkerPool = PiscinaPool | WorkerpoolPool;

export interface WorkerpoolPool {
    stats(): {
        readonly totalWorkers: number;
        readonly busyWorkers: number;
        readonly pendingTasks: number;
    };
    exec: unknown;
}

export function cacheMeters(meters: MeterRegistry, name: string, cache: MeasurableCache): () => void;

export function executorMeters(meters: MeterRegistry, name: string, executor: WorkerPool): () => void;

export function instrument({ observation }: Instrumented, options?: InstrumentOptions): () => void;

export function poolMeters(meters: MeterRegistry, name: string, pool: ConnectionPool): () => void;

export function tracedChannel<C extends TraceableChannel>(channel: C): C;

export function tracedConsumer<C extends TraceableConsumer>(consumer: C): C;

export function tracedNats<C extends TraceableNats>(connection: C, headers: () => NatsHeaders): C;

export function tracedPool<P extends TraceablePostgres>(pool: P): P;

export function tracedProducer<P extends TraceableProducer>(producer: P): P;
