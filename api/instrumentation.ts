// upkeep/instrumentation: 14 values, 74 types. Written by `npm run api`; do not edit.

/** @stable */
export interface AddCacheOptions {
    readonly manager?: string | undefined;
}

/** @stable */
export interface AddTaskOptions {
    readonly name?: string | undefined;
    readonly worker?: BullWorker | undefined;
}

/** @stable */
export type BeginInstrument = (parts: InstrumentParts) => () => void;

/** @stable */
export interface BullQueue {
    readonly name: string;
    getJobSchedulers(start?: number, end?: number, asc?: boolean): Promise<readonly BullScheduler[]>;
}

/** @stable */
export interface BullScheduler {
    readonly key: string;
    readonly pattern?: string | null | undefined;
    readonly every?: number | string | null | undefined;
    readonly next?: number | undefined;
}

/** @stable */
export interface BullWorker {
    on(event: string, listener: (...args: never[]) => void): unknown;
    off(event: string, listener: (...args: never[]) => void): unknown;
}

/** @stable */
export interface BullmqSpan {
    setSpanOnContext(context: unknown): unknown;
    setAttribute(name: string, value: unknown): void;
    setAttributes(attributes: Readonly<Record<string, unknown>>): void;
    addEvent(name: string, attributes?: Readonly<Record<string, unknown>>): void;
    recordException(exception: unknown): void;
    end(): void;
}

/** @stable */
export interface BullmqTelemetry {
    readonly tracer: {
        startSpan(name: string, options?: {
            readonly kind: number;
        }, context?: unknown): BullmqSpan;
    };
    readonly contextManager: {
        with<R>(context: unknown, work: () => R): R;
        active(): unknown;
        root(): unknown;
        getMetadata(context: unknown): string;
        fromMetadata(active: unknown, metadata: string): unknown;
    };
    readonly meter: JobMeter;
}

/** @stable */
export interface CacheStats {
    readonly hits?: number | undefined;
    readonly misses?: number | undefined;
    readonly puts?: number | undefined;
    readonly evictions?: number | undefined;
    readonly size?: number | undefined;
}

/** @stable */
export interface Caches {
    add(name: string, cache: ClearableCache | CustomCache, options?: AddCacheOptions): () => void;
    list(): readonly RegisteredCache[];
    measure(meters: MeterRegistry): () => void;
}

/** @stable */
export type ClearableCache = MeasurableCache & ({
    clear(): unknown;
} | {
    flushAll(): unknown;
});

/** @stable */
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

/** @stable */
export type ConnectionPool = PgPool | Mysql2Pool | GenericPool | TarnPool | KnexClient | UndiciPool;

/** @experimental */
export interface ConsoleOptions {
    readonly maximumBytes?: number | undefined;
    readonly viewers?: number | undefined;
    readonly slowSeconds?: number | undefined;
}

/** @stable */
export interface CorsOptions {
    readonly allowedOrigins: readonly string[];
    readonly allowedMethods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] | undefined;
    readonly allowedHeaders?: readonly string[] | undefined;
    readonly exposedHeaders?: readonly string[] | undefined;
    readonly allowCredentials?: boolean | undefined;
    readonly maxAge?: Duration | undefined;
}

/** @stable */
export interface CronerJob {
    readonly name?: string | undefined;
    nextRun(): Date | null;
    getPattern?(): string | undefined;
    isRunning(): boolean;
    resume(): boolean;
}

/** @stable */
export interface CustomCache {
    clear(): unknown;
    stats?(): CacheStats;
}

/** @stable */
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

/** @stable */
export interface DatabaseOperation extends DatabaseCall {
    readonly seconds: number;
    readonly error: unknown;
    readonly statusCode: string | undefined;
}

/** @stable */
export interface Decorators {
    timed(options?: MeteredMethodOptions): MethodDecorator;
    counted(options?: MeteredMethodOptions): MethodDecorator;
    traced(options?: TracedMethodOptions): MethodDecorator;
}

/** @stable */
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

/** @stable */
export interface EnvOptions {
    readonly showValues?: Audience | undefined;
    readonly roles?: readonly string[] | undefined;
    readonly show?: readonly string[] | undefined;
    readonly mask?: readonly string[] | undefined;
    readonly sources?: readonly PropertySource[] | undefined;
}

/** @stable */
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

/** @stable */
export interface HttpClientOptions {
    readonly uri?: ((request: OutgoingRequest) => string | undefined) | undefined;
    readonly clientName?: ((request: OutgoingRequest) => string | undefined) | undefined;
    readonly timed?: boolean | undefined;
}

/** @stable */
export interface HttpExchangesOptions {
    readonly capacity?: number | undefined;
    readonly maximumBytes?: number | undefined;
    readonly requestHeaders?: readonly string[] | undefined;
    readonly responseHeaders?: readonly string[] | undefined;
}

/** @stable */
export interface InstrumentOptions {
    readonly undici?: boolean | HttpClientOptions | undefined;
    readonly http?: boolean | HttpClientOptions | undefined;
    readonly mysql2?: boolean | undefined;
    readonly ioredis?: boolean | undefined;
    readonly redis?: boolean | undefined;
    readonly mongoose?: boolean | undefined;
    readonly mssql?: boolean | undefined;
}

/** @stable */
export interface InstrumentParts {
    readonly clock: Clock;
    readonly report: Report;
    readonly record: (request: ClientRequest) => void;
    readonly recordOperation: (operation: DatabaseOperation) => void;
    readonly isTraced: boolean;
    readonly redactPath: RedactPath;
}

/** @stable */
export interface Instrumented {
    readonly observation: Pick<Observation, 'attach'>;
}

/** @stable */
export type IntervalTrigger<Kind extends string> = {
    readonly [kind in Kind]: Duration;
} & {
    readonly initialDelay?: Duration | undefined;
};

/** @stable */
export interface JobMeter {
    createCounter(name: string, options?: {
        readonly description?: string;
    }): {
        add(value: number, attributes?: Readonly<Record<string, unknown>>): void;
    };
    createHistogram(name: string, options?: {
        readonly description?: string;
        readonly unit?: string;
    }): {
        record(value: number, attributes?: Readonly<Record<string, unknown>>): void;
    };
    createGauge(name: string): {
        record(value: number): void;
    };
}

/** @stable */
export type JobState = (typeof states)[number];

/** @stable */
export interface KnexClient {
    readonly client: {
        readonly pool?: TarnPool | undefined;
    };
}

/** @stable */
export interface MeasurableCache {
    get: unknown;
    set: unknown;
    has?: unknown;
    readonly size?: unknown;
    getStats?: unknown;
}

/** @stable */
export interface MeasurableQueue {
    readonly name: string;
    getJobCounts(...states: JobState[]): Promise<Readonly<Record<string, number>>>;
    getJobs(states: 'waiting' | 'prioritized', start: number, end: number, asc: boolean): Promise<readonly (QueuedJob | undefined)[]>;
}

/** @stable */
export interface MeteredMethodOptions {
    readonly name?: string | undefined;
    readonly description?: string | undefined;
}

/** @stable */
export type MethodDecorator = <T, A extends unknown[], R>(method: (this: T, ...args: A) => R, context: ClassMethodDecoratorContext<T, (this: T, ...args: A) => R>) => (this: T, ...args: A) => R;

/** @stable */
export interface Mysql2CallbackPool {
    readonly config: object;
    getConnection: unknown;
    releaseConnection: unknown;
}

/** @stable */
export type Mysql2Pool = Mysql2CallbackPool | {
    readonly pool: Mysql2CallbackPool;
};

/** @stable */
export interface NatsHeaders extends Iterable<[
    string,
    string[]
]> {
    set(name: string, value: string): void;
    append(name: string, value: string): void;
}

/** @stable */
export type NextRun = () => Date | number | null | undefined;

/** @stable */
export interface NodeCronContext {
    readonly execution?: {
        readonly id: string;
        readonly error?: unknown;
    } | undefined;
    readonly error?: unknown;
}

/** @stable */
export interface NodeCronTask {
    readonly name?: string | undefined;
    getNextRun(): Date | null;
    getStatus(): string;
    getPattern?(): string;
    on(event: string, listener: (context: NodeCronContext) => void): unknown;
    off(event: string, listener: (context: NodeCronContext) => void): unknown;
}

/** @stable */
export interface NodeScheduleJob {
    readonly name: string;
    nextInvocation(): {
        getTime(): number;
    } | null;
    invoke: unknown;
}

/** @stable */
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

/** @stable */
export interface ObservationOptions {
    readonly managementRequests?: boolean | undefined;
    readonly redactPath?: ((path: string, template: string | undefined) => string | undefined) | undefined;
}

/** @stable */
export interface OutgoingRequest {
    readonly method: string;
    readonly origin: string;
    readonly path: string;
}

/** @stable */
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

/** @stable */
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

/** @stable */
export interface PropertySource {
    readonly name: string;
    readonly properties: Readonly<Record<string, unknown>> | (() => Readonly<Record<string, unknown>>);
}

/** @stable */
export interface QueueMetersOptions {
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface QueuedJob {
    readonly timestamp: number;
    readonly processedOn?: number | undefined;
    readonly opts: {
        readonly delay?: number | undefined;
    };
}

/** @stable */
export type RedactPath = (path: string, template?: string) => string;

/** @stable */
export interface RegisteredCache {
    readonly manager: string;
    readonly name: string;
    readonly target: string;
    clear(): unknown;
}

/** @stable */
export type RequestSubscriber = (request: EndedRequest) => void;

/** @stable */
export interface ScheduledTaskState {
    readonly name: string;
    readonly trigger: ShownTrigger;
    readonly running: number;
    readonly isLate: boolean;
    readonly nextExecution: number | undefined;
    readonly lastExecution: TaskExecution | undefined;
}

/** @stable */
export interface ScheduledTasks {
    schedule<F extends (...args: never[]) => unknown>(name: string, task: F, trigger?: TaskTrigger): F;
    add(job: SchedulerJob, options?: AddTaskOptions): () => void;
    remove(name: string): void;
    read(): Promise<readonly ScheduledTaskState[]>;
    readonly indicator: HealthCheck;
    measure(meters: MeterRegistry): () => void;
}

/** @stable */
export interface ScheduledTasksOptions {
    readonly lateAfter?: Duration | undefined;
    readonly report?: Report | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export type SchedulerJob = NodeCronTask | CronerJob | NodeScheduleJob | BullQueue;

/** @stable */
export type ShownTrigger = {
    readonly kind: 'cron' | 'custom';
    readonly expression: string;
} | {
    readonly kind: 'fixedRate' | 'fixedDelay';
    readonly interval: number;
    readonly initialDelay: number;
};

/** @stable */
export interface SpanWorkOptions extends TracedOptions {
    readonly tags?: Tags | undefined;
}

/** @stable */
export interface TarnPool {
    readonly max: number;
    readonly min: number;
    numUsed(): number;
    numFree(): number;
    numPendingAcquires(): number;
    on(event: string, listener: (...args: unknown[]) => void): unknown;
    removeListener(event: string, listener: (...args: unknown[]) => void): unknown;
}

/** @stable */
export interface TaskException {
    readonly type: string;
    readonly message: string;
}

/** @stable */
export type TaskExecution = {
    readonly status: 'STARTED';
    readonly time: number;
} | {
    readonly status: 'SUCCESS';
    readonly time: number;
    readonly seconds: number;
} | {
    readonly status: 'ERROR';
    readonly time: number;
    readonly seconds: number;
    readonly exception: TaskException;
};

/** @stable */
export type TaskTrigger = {
    readonly cron: string;
    readonly next?: NextRun | undefined;
} | {
    readonly custom: string;
    readonly next?: NextRun | undefined;
} | IntervalTrigger<'fixedRate'> | IntervalTrigger<'fixedDelay'>;

/** @stable */
export interface TraceableChannel {
    publish(exchange: string, routingKey: string, content: Buffer, ...rest: never[]): boolean;
    sendToQueue(queue: string, content: Buffer, ...rest: never[]): boolean;
    consume(queue: string, onMessage: never, ...rest: never[]): unknown;
}

/** @stable */
export interface TraceableConsumer {
    run(config: never): Promise<unknown>;
}

/** @stable */
export interface TraceableNats {
    publish(subject: string, ...rest: never[]): void;
    request(subject: string, ...rest: never[]): Promise<unknown>;
    subscribe(subject: string, ...rest: never[]): unknown;
    getServer?(): string;
}

/** @stable */
export interface TraceablePostgres {
    query(...args: never[]): unknown;
    connect(...args: never[]): unknown;
}

/** @stable */
export interface TraceablePrisma {
    $extends(extension: never): unknown;
    $transaction(...args: never[]): unknown;
}

/** @stable */
export interface TraceableProducer {
    send(record: never): Promise<unknown>;
    sendBatch(batch: never): Promise<unknown>;
}

/** @stable */
export interface TracedMethodOptions {
    readonly name?: string | undefined;
}

/** @stable */
export interface UndiciPool {
    readonly stats: object;
    dispatch: unknown;
}

/** @stable */
export type WorkerPool = PiscinaPool | WorkerpoolPool;

/** @stable */
export interface WorkerpoolPool {
    stats(): {
        readonly totalWorkers: number;
        readonly busyWorkers: number;
        readonly pendingTasks: number;
    };
    exec: unknown;
}

/** @stable */
export function bullmqTelemetry(meters: MeterRegistry): BullmqTelemetry;

/** @stable */
export function cacheMeters(meters: MeterRegistry, name: string, cache: MeasurableCache): () => void;

/** @stable */
export function createCaches(): Caches;

/** @stable */
export function createScheduledTasks(options?: ScheduledTasksOptions): ScheduledTasks;

/** @stable */
export function executorMeters(meters: MeterRegistry, name: string, executor: WorkerPool): () => void;

/** @stable */
export function instrument({ observation }: Instrumented, options?: InstrumentOptions): () => void;

/** @stable */
export function poolMeters(meters: MeterRegistry, name: string, pool: ConnectionPool): () => void;

/** @stable */
export function queueMeters(meters: MeterRegistry, queue: MeasurableQueue, options?: QueueMetersOptions): () => void;

/** @stable */
export function tracedChannel<C extends TraceableChannel>(channel: C): C;

/** @stable */
export function tracedConsumer<C extends TraceableConsumer>(consumer: C): C;

/** @stable */
export function tracedNats<C extends TraceableNats>(connection: C, headers: () => NatsHeaders): C;

/** @stable */
export function tracedPool<P extends TraceablePostgres>(pool: P): P;

/** @stable */
export function tracedPrisma<C extends TraceablePrisma>(client: C): Omit<C, '$on'>;

/** @stable */
export function tracedProducer<P extends TraceableProducer>(producer: P): P;
