// upkeep/health: 19 values, 60 types. Written by `npm run api`; do not edit.

export interface AmqpChannel {
    close(): PromiseLike<unknown>;
    on(event: 'error', listener: (error: Error) => void): unknown;
    readonly connection: {
        readonly serverProperties: {
            readonly product?: unknown;
            readonly version?: unknown;
        };
    };
}

export interface AmqpConnection {
    createChannel(): PromiseLike<AmqpChannel>;
}

export interface AmqpOptions {
    readonly clock?: Clock | undefined;
}

export type CertificateStatus = 'VALID' | 'EXPIRED' | 'NOT_YET_VALID';

export interface CertifiedServer {
    readonly cert?: PemCertificates | undefined;
}

export interface CheckedIndicator {
    readonly check: HealthCheck;
    readonly timeout?: Duration | undefined;
    readonly cache?: Duration | undefined;
    readonly refresh?: Duration | undefined;
    readonly staleAfter?: Duration | undefined;
    readonly tolerate?: Tolerance | undefined;
}

export interface ClientDiscovery extends FoundClients {
    readonly kinds: readonly DiscoveredKind[];
    close(): void;
}

export interface CompositeIndicator {
    readonly indicators: Indicators;
}

export interface ConnectionTarget {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly database?: string | undefined;
}

export interface ContainerMemoryOptions {
    readonly maxUsage?: number | undefined;
    readonly read?: (() => {
        readonly used: number;
        readonly limit: number;
    }) | undefined;
}

export interface DiscoverClientsOptions {
    readonly kinds?: readonly DiscoveredKind[] | undefined;
}

export type DiscoveredComponent = (typeof discoveredComponents)[number];

export type DiscoveredKind = DiscoveredComponent | 'diskSpace';

export interface DiskSpaceOptions {
    readonly path?: string | undefined;
    readonly threshold?: number | undefined;
}

export interface DnsOptions {
    readonly recordType?: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SRV' | 'TXT' | undefined;
    readonly servers?: readonly string[] | undefined;
    readonly clock?: Clock | undefined;
}

export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

export interface EventLoopOptions {
    readonly maxUtilization?: number | undefined;
    readonly maxDelay?: Duration | undefined;
    readonly window?: Duration | undefined;
    readonly read?: (() => EventLoopReading) | undefined;
    readonly clock?: Clock | undefined;
}

export interface EventLoopReading {
    readonly utilization: number;
    readonly delayMilliseconds: number;
    readonly maxDelayMilliseconds: number;
}

export interface FoundClients {
    add(candidate: object): void;
    targetsOf(component: DiscoveredComponent): readonly FoundTarget[];
}

export interface FoundTarget {
    readonly component: DiscoveredComponent;
    readonly target: ConnectionTarget;
    readonly check: HealthCheck;
}

export interface Health {
    readonly status: Status;
    readonly description?: string | undefined;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface HealthCheck {
    (signal: AbortSignal): string | Health | Promise<string | Health>;
    readonly close?: (() => void) | undefined;
    readonly isRemote?: boolean | undefined;
}

export interface HealthCheckOptions {
    readonly indicators?: Indicators | undefined;
    readonly concurrency?: number | undefined;
    readonly slowCheck?: Duration | undefined;
}

export interface HealthGroupMembers {
    readonly include?: readonly string[] | undefined;
    readonly exclude?: readonly string[] | undefined;
}

export interface HealthScopeOptions {
    readonly order?: readonly Status[] | undefined;
    readonly showDetails?: Audience | undefined;
    readonly showComponents?: Audience | undefined;
}

export interface HttpOptions {
    readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | undefined;
    readonly expectedStatus?: number | readonly number[] | ((status: number) => boolean) | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly agent?: Agent | undefined;
    readonly clock?: Clock | undefined;
}

export type Indicator = HealthCheck | CheckedIndicator | StateIndicator | CompositeIndicator;

export interface Indicators {
    readonly [name: string]: Indicator;
}

export interface KafkaAdmin {
    describeCluster(): PromiseLike<{
        readonly brokers: readonly unknown[];
        readonly controller: number | null;
        readonly clusterId: string;
    }>;
}

export interface KafkaOptions {
    readonly brokers?: number | undefined;
    readonly clock?: Clock | undefined;
}

export type MaybePromise<T> = T | Promise<T>;

export interface MemoryOptions {
    readonly maxUsage?: number | undefined;
    readonly heap?: (() => {
        readonly used: number;
        readonly limit: number;
    }) | undefined;
}

export interface MongodbClient {
    db(name: string): MongodbDatabase;
}

export interface MongodbDatabase {
    command(command: Record<string, unknown>): PromiseLike<unknown>;
}

export interface MongodbOptions {
    readonly clock?: Clock | undefined;
}

export interface MysqlCallbackClient {
    promise(): MysqlPool | MysqlConnection;
}

export interface MysqlConnection {
    query(text: string): PromiseLike<readonly [
        unknown,
        ...unknown[]
    ]>;
}

export interface MysqlOptions {
    readonly validationQuery?: string | undefined;
    readonly clock?: Clock | undefined;
}

export interface MysqlPool {
    getConnection(): PromiseLike<MysqlPoolConnection>;
}

export interface MysqlPoolConnection extends MysqlConnection {
    release(): void;
    destroy(): void;
}

export interface NatsConnection {
    flush(): PromiseLike<void>;
    readonly info?: {
        readonly version: string;
    } | undefined;
}

export interface NatsOptions {
    readonly clock?: Clock | undefined;
}

export type PemCertificates = string | Uint8Array | readonly (string | Uint8Array)[];

export interface PostgresConnection {
    query(text: string): PromiseLike<{
        readonly rows: readonly unknown[];
    }>;
}

export interface PostgresOptions {
    readonly validationQuery?: string | undefined;
    readonly clock?: Clock | undefined;
}

export interface PostgresPool extends PostgresConnection {
    readonly totalCount: number;
    connect(callback: (error: Error | undefined, connection: PostgresPoolConnection | undefined) => void): unknown;
}

export interface PostgresPoolConnection extends PostgresConnection {
    release(broken?: boolean): void;
    on(event: 'error', listener: (error: Error) => void): unknown;
    removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PostgresSql {
    unsafe(text: string): PromiseLike<readonly unknown[]>;
}

export interface RedisClient {
    ping(): PromiseLike<unknown>;
    info(section: 'server'): PromiseLike<unknown>;
    readonly status?: string | undefined;
    readonly isReady?: boolean | undefined;
}

export interface RedisOptions {
    readonly clock?: Clock | undefined;
}

export interface ShownBundle {
    readonly name: string;
    readonly certificateChains: readonly ShownChain[];
    readonly trustStoreCertificateChains: readonly ShownChain[];
}

export interface ShownCertificate {
    readonly subject: string;
    readonly issuer: string;
    readonly serialNumber: string;
    readonly version: 'V3';
    readonly signatureAlgorithmName?: string | undefined;
    readonly validityStarts: string;
    readonly validityEnds: string;
    readonly validity: {
        readonly status: CertificateStatus;
        readonly message?: string;
    };
}

export interface ShownChain {
    readonly alias: string;
    readonly certificates: readonly ShownCertificate[];
}

export interface SqlOptions {
    readonly query: (signal: AbortSignal) => unknown;
    readonly database?: string | undefined;
    readonly validationQuery?: string | undefined;
    readonly clock?: Clock | undefined;
}

export interface SslBundles {
    bundles(): readonly ShownBundle[];
    readonly indicator: HealthCheck;
    measure(meters: MeterRegistry): () => void;
}

export interface SslBundlesOptions {
    readonly expiresWithin?: Duration | undefined;
    readonly clock?: Clock | undefined;
}

export interface StateIndicator {
    readonly state: () => string | Health;
}

export type Status = 'UP' | 'DOWN' | 'OUT_OF_SERVICE' | 'UNKNOWN' | (string & {});

export interface TcpOptions {
    readonly host?: string | undefined;
    readonly port: number;
    readonly clock?: Clock | undefined;
}

export interface Tolerance {
    readonly failures?: number | undefined;
    readonly for?: Duration | undefined;
}

export function amqp(connection: AmqpConnection | (() => AmqpConnection | undefined), options?: AmqpOptions): HealthCheck;

export function composite(indicators: Indicators): CompositeIndicator;

export function containerMemory(options?: ContainerMemoryOptions): HealthCheck;

export function discoverClients(options?: DiscoverClientsOptions): ClientDiscovery;

export function diskSpace(options?: DiskSpaceOptions): HealthCheck;

export function dns(name: string, options?: DnsOptions): HealthCheck;

export function eventLoop(options?: EventLoopOptions): HealthCheck;

export function http(url: string | URL, options?: HttpOptions): HealthCheck;

export function kafka(admin: KafkaAdmin, options?: KafkaOptions): HealthCheck;

export function memory(options?: MemoryOptions): HealthCheck;

export function mongodb(client: MongodbClient | MongodbDatabase, options?: MongodbOptions): HealthCheck;

export function mysql(client: MysqlPool | MysqlConnection | MysqlCallbackClient, options?: MysqlOptions): HealthCheck;

export function nats(connection: NatsConnection, options?: NatsOptions): HealthCheck;

export function ping(): HealthCheck;

export function postgres(client: PostgresPool | PostgresConnection | PostgresSql, options?: PostgresOptions): HealthCheck;

export function redis(client: RedisClient, options?: RedisOptions): HealthCheck;

export function sql(options: SqlOptions): HealthCheck;

export function sslBundles(servers: Readonly<Record<string, CertifiedServer>>, options?: SslBundlesOptions): SslBundles;

export function tcp(options: TcpOptions): HealthCheck;
