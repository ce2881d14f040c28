// upkeep: 11 values, 80 types. Written by `npm run api`; do not edit.

/** @stable */
export type Access = 'public' | 'authorized' | {
    readonly roles: readonly string[];
};

/** @stable */
export type AccessOptions = Readonly<Partial<Record<EndpointId | '*', EndpointAccess | undefined>>>;

/** @stable */
export type AttributeValue = string | number | boolean;

/** @stable */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** @stable */
export type Audience = 'never' | 'when-authorized' | 'always';

/** @stable */
export interface Authorize {
    (request: ManagementRequest): Principal | undefined | Promise<Principal | undefined>;
    readonly challenge?: string | undefined;
    readonly hasExplicitCredential?: ((request: ManagementRequest) => boolean) | undefined;
}

/** @stable */
export interface Availability {
    readonly liveness: Liveness;
    readonly readiness: Readiness;
    acceptTraffic(): void;
    refuseTraffic(reason?: string): void;
    addStartupTask(task: PromiseLike<unknown>, name: string): void;
    beginShutdown(reason?: string): void;
    markBroken(error?: unknown): void;
    onChange(listener: (change: AvailabilityChange) => unknown): () => void;
}

/** @stable */
export type AvailabilityChange = {
    readonly kind: 'liveness';
    readonly state: Liveness;
} | {
    readonly kind: 'readiness';
    readonly state: Readiness;
};

/** @stable */
export interface BasicAuthOptions {
    readonly realm?: string | undefined;
}

/** @stable */
export interface BasicUser {
    readonly username: string;
    readonly password: string | undefined;
    readonly roles?: readonly string[] | undefined;
}

/** @stable */
export interface BearerTokenOptions {
    readonly name?: string | undefined;
    readonly roles?: readonly string[] | undefined;
    readonly realm?: string | undefined;
}

/** @stable */
export interface Call {
    readonly request: ManagementRequest;
    readonly variables: readonly string[];
    readonly query: URLSearchParams;
    readonly identify: () => MaybePromise<Principal | undefined>;
    readonly signal: AbortSignal;
    readonly extendIdleTimeout: (duration: Duration) => void;
}

/** @stable */
export interface Clock {
    wallTime(): number;
    monotonicTime(): number;
}

/** @stable */
export interface Counter extends Meter {
    increment(amount?: number): void;
    readonly value: number;
}

/** @stable */
export interface DistributionOptions {
    readonly slo?: readonly number[] | undefined;
    readonly percentileHistogram?: boolean | undefined;
    readonly minimumExpectedValue?: number | undefined;
    readonly maximumExpectedValue?: number | undefined;
    readonly percentiles?: readonly number[] | undefined;
    readonly exponential?: boolean | ExponentialHistogramOptions | undefined;
}

/** @stable */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** @stable */
export interface Endpoint {
    readonly id: string;
    readonly routes: readonly Route[];
    readonly auditedReads?: readonly string[] | undefined;
    readonly publicPaths?: readonly string[] | undefined;
    readonly linkedPaths?: readonly string[] | undefined;
    readonly indexPage?: ((path: string) => Offer) | undefined;
    readonly describe?: (() => EndpointDescription) | undefined;
}

/** @stable */
export type EndpointAccess = OperationAccess | {
    readonly read?: OperationAccess | undefined;
    readonly write?: OperationAccess | undefined;
};

/** @stable */
export type EndpointDescription = Readonly<Record<string, Readonly<Record<string, OperationDescription>>>>;

/** @stable */
export type EndpointId = (typeof openIds)[number] | (typeof guardedIds)[number] | (string & Record<never, never>);

/** @stable */
export interface ErrorMembers {
    readonly type?: string | undefined;
    readonly title?: string | undefined;
    readonly errors?: readonly Fault[] | undefined;
    readonly [member: string]: unknown;
}

/** @stable */
export interface Fault {
    readonly path: string;
    readonly message: string;
}

/** @stable */
export interface Gauge extends Meter {
    readonly value: number;
}

/** @stable */
export type HandlerResult = Representation | EmptyResponse | undefined;

/** @stable */
export interface Health {
    readonly status: Status;
    readonly description?: string | undefined;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** @stable */
export type HealthChange = {
    readonly kind: 'component';
    readonly component: string;
    readonly from: Status;
    readonly to: Status;
    readonly reason?: string;
} | {
    readonly kind: 'group';
    readonly group: string;
    readonly from: Status;
    readonly to: Status;
} | {
    readonly kind: 'whole';
    readonly from: Status;
    readonly to: Status;
};

/** @stable */
export interface HealthCheck {
    (signal: AbortSignal): string | Health | Promise<string | Health>;
    readonly close?: (() => void) | undefined;
    readonly isRemote?: boolean | undefined;
}

/** @stable */
export interface HealthGroupOptions extends HealthGroupMembers, HealthViewOptions {
}

/** @stable */
export type HealthListener = (change: HealthChange) => void;

/** @stable */
export interface HealthOptions extends HealthCheckOptions, HealthViewOptions {
    readonly groups?: Readonly<Record<string, HealthGroupOptions>> | undefined;
    readonly discover?: boolean | ClientDiscovery | undefined;
}

/** @stable */
export interface HealthReport {
    readonly status: Status;
    readonly description?: string | undefined;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
    readonly components?: Readonly<Record<string, HealthReport>> | undefined;
}

/** @stable */
export interface HealthViewOptions extends HealthScopeOptions {
    readonly httpMapping?: HttpMapping | undefined;
    readonly format?: 'actuator' | 'terminus' | undefined;
    readonly roles?: readonly string[] | undefined;
}

/** @stable */
export class HttpError extends Error {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly members: ErrorMembers;
    constructor(status: number, message: string, { headers, members, ...options }?: HttpErrorOptions);
}

/** @stable */
export interface HttpErrorOptions extends ErrorOptions {
    readonly headers?: Readonly<Record<string, string>>;
    readonly members?: ErrorMembers;
}

/** @stable */
export type HttpMapping = Readonly<Record<string, number>>;

/** @stable */
export type Indicator = HealthCheck | CheckedIndicator | StateIndicator | CompositeIndicator;

/** @stable */
export interface Indicators {
    readonly [name: string]: Indicator;
}

/** @stable */
export type InfoContributor = () => InfoPart | undefined | Promise<InfoPart | undefined>;

/** @stable */
export interface InfoOptions {
    readonly build?: boolean | undefined;
    readonly git?: boolean | undefined;
    readonly runtime?: boolean | undefined;
    readonly os?: boolean | undefined;
    readonly process?: boolean | undefined;
    readonly container?: boolean | undefined;
    readonly ssl?: boolean | undefined;
    readonly contributors?: readonly InfoContributor[] | undefined;
}

/** @stable */
export type InfoPart = Readonly<Record<string, unknown>>;

/** @stable */
export type Level = (typeof levelNames)[number];

/** @stable */
export type Liveness = 'CORRECT' | 'BROKEN';

/** @stable */
export interface LoggerLevel {
    readonly configuredLevel?: Level;
    readonly effectiveLevel: Level;
}

/** @stable */
export interface Loggers {
    readonly levels: readonly Level[];
    names(): readonly string[];
    level(name: string): LoggerLevel | undefined;
    configure(name: string, level: Level | undefined): void;
    readonly report?: Report | undefined;
}

/** @stable */
export interface LongTask {
    readonly duration: number;
    stop(): number;
}

/** @stable */
export interface LongTaskTimer extends Meter {
    start(): LongTask;
    time<R>(work: () => R): R;
    readonly activeTasks: number;
    readonly duration: number;
    readonly max: number;
}

/** @stable */
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

/** @stable */
export interface ManagementHealth {
    check(): Promise<HealthReport>;
    check(path: string): Promise<HealthReport | undefined>;
    onChange(listener: HealthListener): () => void;
}

/** @stable */
export interface ManagementOptions {
    readonly application?: {
        readonly name: string;
        readonly version?: string | undefined;
    } | undefined;
    readonly basePath?: string | undefined;
    readonly paths?: Readonly<Record<string, string>> | undefined;
    readonly conventions?: 'micrometer' | 'opentelemetry' | undefined;
    readonly endpoints?: readonly Endpoint[] | undefined;
    readonly expose?: readonly EndpointId[] | undefined;
    readonly access?: AccessOptions | undefined;
    readonly health?: HealthOptions | undefined;
    readonly info?: InfoOptions | undefined;
    readonly env?: EnvOptions | undefined;
    readonly httpExchanges?: HttpExchangesOptions | undefined;
    readonly metrics?: MetricsOptions | undefined;
    readonly observation?: ObservationOptions | undefined;
    readonly tracing?: boolean | TracingOptions | undefined;
    readonly loggers?: Loggers | undefined;
    readonly profile?: ProfileOptions | undefined;
    readonly logFile?: string | undefined;
    readonly loggerGroups?: Readonly<Record<string, readonly string[]>> | undefined;
    readonly caches?: Caches | undefined;
    readonly sbom?: Readonly<Record<string, string>> | undefined;
    readonly ssl?: SslBundles | undefined;
    readonly scheduledTasks?: ScheduledTasks | undefined;
    readonly heapdump?: HeapDumpOptions | undefined;
    readonly cors?: CorsOptions | undefined;
    /** @experimental */ readonly recorder?: RecorderOptions | undefined;
    readonly authorize?: Authorize | undefined;
    /** @experimental */ readonly console?: ConsoleOptions | undefined;
    readonly audit?: ((event: AuditEvent) => unknown) | AuditFile | undefined;
    readonly clock?: Clock | undefined;
    readonly report?: Report | undefined;
}

/** @stable */
export type MaybePromise<T> = T | Promise<T>;

/** @stable */
export interface Meter {
    readonly id: MeterId;
}

/** @stable */
export interface MeterFilter {
    map?(meter: MeterDescription): MeterDescription;
    accept?(meter: MeterDescription): FilterDecision;
    configure?(meter: MeterDescription, options: DistributionOptions): DistributionOptions;
}

/** @stable */
export interface MeterOptions {
    readonly description?: string | undefined;
    readonly baseUnit?: string | undefined;
}

/** @stable */
export interface MeterRegistry extends SnapshotSource {
    counter(name: string, tags?: Tags, options?: MeterOptions): Counter;
    counters<const K extends readonly string[]>(name: string, keys: K, options?: MeterOptions): TaggedMeters<Counter, K>;
    timer(name: string, tags?: Tags, options?: TimerOptions): Timer;
    timers<const K extends readonly string[]>(name: string, keys: K, options?: TimerOptions): TaggedMeters<Timer, K>;
    summary(name: string, tags?: Tags, options?: SummaryOptions): Summary;
    summaries<const K extends readonly string[]>(name: string, keys: K, options?: SummaryOptions): TaggedMeters<Summary, K>;
    longTaskTimer(name: string, tags?: Tags, options?: TimerOptions): LongTaskTimer;
    readonly gauge: RegisterReading<number, Gauge>;
    readonly functionCounter: RegisterReading<number, FunctionCounter>;
    readonly functionTimer: RegisterReading<TimedTotal, FunctionTimer>;
    multiGauge(name: string, options?: MeterOptions): MultiGauge;
    start(): UnboundSample;
    filter(filter: MeterFilter): void;
    remove(meter: Meter): boolean;
    close(): void;
}

/** @stable */
export interface MetricsOptions extends Omit<MeterRegistryOptions, 'clock' | 'diagnose'> {
    readonly commonTags?: Tags | undefined;
    readonly createdTimestamps?: boolean | undefined;
    readonly sources?: readonly SnapshotSource[] | undefined;
    readonly runtime?: boolean | RuntimeMetersOptions | undefined;
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
export type OperationAccess = Access | 'none';

/** @stable */
export interface Principal {
    readonly name: string;
    readonly roles?: readonly string[] | undefined;
}

/** @stable */
export type Readiness = 'ACCEPTING_TRAFFIC' | 'REFUSING_TRAFFIC';

/** @stable */
export type Report = (message: string, cause?: unknown) => void;

/** @stable */
export interface Representation {
    readonly status?: number;
    readonly offers: readonly [
        Offer,
        ...Offer[]
    ];
    readonly caching: Caching;
    readonly lastModified?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly isEndless?: boolean;
    readonly isCompressed?: boolean;
    readonly cachedResponses?: Map<string | undefined, ManagementResponse>;
}

/** @stable */
export interface Resource {
    readonly access?: ResourceAccess;
    readonly refusesCrossSiteReads?: boolean;
    readonly guard?: PreconditionPolicy | ((method: string) => PreconditionPolicy);
    readonly inserts?: boolean;
    readonly get?: ResourceHandler;
    readonly post?: ResourceHandler;
    readonly put?: ResourceHandler;
    readonly patch?: ResourceHandler;
    readonly delete?: ResourceHandler;
}

/** @stable */
export interface Route {
    readonly path: string;
    readonly resource: Resource;
}

/** @stable */
export interface RuntimeMetersOptions {
    readonly prefix?: 'jvm' | 'nodejs' | undefined;
    readonly path?: string | undefined;
}

/** @stable */
export interface Sample {
    stop(timer?: Timer): number;
}

/** @stable */
export interface Span {
    readonly context: TraceContext;
    readonly isRecording: boolean;
    setAttributes(attributes: Attributes): void;
    rename(name: string): void;
    fail(error: unknown): void;
    end(endedAt?: number): void;
}

/** @stable */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** @stable */
export type Status = 'UP' | 'DOWN' | 'OUT_OF_SERVICE' | 'UNKNOWN' | (string & {});

/** @stable */
export interface Summary extends Meter {
    record(amount: number): void;
    readonly count: number;
    readonly total: number;
    readonly max: number;
    readonly mean: number;
}

/** @stable */
export interface SummaryOptions extends DistributionOptions, MeterOptions {
    readonly scale?: number | undefined;
}

/** @stable */
export type TagValue = string | number | boolean;

/** @stable */
export interface TaggedMeters<M, K extends readonly string[]> {
    with(...values: {
        readonly [I in keyof K]: TagValue;
    }): M;
}

/** @stable */
export type Tags = Readonly<Record<string, TagValue>>;

/** @stable */
export interface Timer extends Meter {
    record(seconds: number): void;
    time<R>(work: () => R): R;
    start(): Sample;
    readonly count: number;
    readonly total: number;
    readonly max: number;
    readonly mean: number;
}

/** @stable */
export interface TimerOptions extends DistributionOptions {
    readonly description?: string | undefined;
}

/** @stable */
export type TraceCarrier = {
    get(name: string): unknown;
} | {
    readonly [name: string]: unknown;
} | Readonly<Record<string, unknown>> | null | undefined;

/** @stable */
export interface TraceContext {
    readonly traceId: string;
    readonly spanId: string;
    readonly flags: number;
    readonly tracestate?: string | undefined;
}

/** @stable */
export interface TraceHeaders {
    readonly traceparent?: string;
    readonly tracestate?: string;
    readonly baggage?: string;
}

/** @stable */
export interface TracedOptions {
    readonly kind?: SpanKind | undefined;
    readonly attributes?: Attributes | undefined;
    readonly links?: readonly TraceContext[] | undefined;
}

/** @stable */
export interface TracingOptions {
    readonly probability?: number | undefined;
    readonly baggage?: {
        readonly logFields?: readonly string[];
        readonly spanAttributes?: readonly string[];
    } | undefined;
}

/** @stable */
export function basicAuth(users: BasicUser | readonly BasicUser[], options?: BasicAuthOptions): Authorize;

/** @stable */
export function bearerToken(token: string | undefined | readonly (string | undefined)[], options?: BearerTokenOptions): Authorize;

/** @stable */
export function createManagement(options?: ManagementOptions): Management;

/** @stable */
export function currentTrace(): TraceContext | undefined;

/** @stable */
export function getBaggage(key: string): string | undefined;

/** @stable */
export function isHttpError(error: unknown): error is HttpError;

/** @stable */
export function traceHeaders(): TraceHeaders;

/** @stable */
export function traced<R>(name: string, work: (span: Span | undefined) => R, options?: TracedOptions): R;

/** @stable */
export function withBaggage<R>(entries: Readonly<Record<string, string | undefined>>, work: () => R): R;

/** @stable */
export function withTrace<R>(carrier: TraceCarrier, name: string, work: (span: Span | undefined) => R, options?: TracedOptions): R;
