// upkeep/health: 19 values, 60 types. Written by `npm run api`; do not edit.

/** @stable */
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

/** @stable */
export interface AmqpConnection {
    createChannel(): PromiseLike<AmqpChannel>;
}

/** @stable */
export interface AmqpOptions {
    readonly clock?: Clock | undefined;
}

/** @stable */
export type CertificateStatus = 'VALID' | 'EXPIRED' | 'NOT_YET_VALID';

/** @stable */
export interface CertifiedServer {
    readonly cert?: PemCertificates | undefined;
}

/** @stable */
export interface CheckedIndicator {
    readonly check: HealthCheck;
    readonly timeout?: Duration | undefined;
    readonly cache?: Duration | undefined;
    readonly refresh?: Duration | undefined;
    readonly staleAfter?: Duration | undefined;
    readonly tolerate?: Tolerance | undefined;
}

/** @stable */
export interface ClientDiscovery extends FoundClients {
    readonly kinds: readonly DiscoveredKind[];
    close(): void;
}

/** @stable */
export interface CompositeIndicator {
    readonly indicators: Indicators;
}

/** @stable */
export interface ConnectionTarget {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly database?: string | undefined;
}

/** @stable */
export interface ContainerMemoryOptions {
    readonly maxUsage?: number | undefined;
    readonly read?: (() => {
        readonly used: number;
        readonly limit: number;
    }) | undefined;
}

/** @stable */
export interface DiscoverClientsOptions {
    readonly kinds?: readonly DiscoveredKind[] | undefined;
}

/** @stable */
export type DiscoveredComponent = (typeof discoveredComponents)[number];

/** @stable */
export type DiscoveredKind = DiscoveredComponent | 'diskSpace';

/** @stable */
export interface DiskSpaceOptions {
    readonly path?: string | undefined;
    readonly threshold?: number | undefined;
}

/** @stable */
export interface DnsOptions {
    readonly recordType?: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SRV' | 'TXT' | undefined;
    readonly servers?: readonly string[] | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** @stable */
export interface EventLoopOptions {
    readonly maxUtilization?: number | undefined;
    readonly maxDelay?: Duration | undefined;
    readonly window?: Duration | undefined;
    readonly read?: (() => EventLoopReading) | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface EventLoopReading {
    readonly utilization: number;
    readonly delayMilliseconds: number;
    readonly maxDelayMilliseconds: number;
}

/** @stable */
export interface FoundClients {
    add(candidate: object): void;
    targetsOf(component: DiscoveredComponent): readonly FoundTarget[];
}

/** @stable */
export interface FoundTarget {
    readonly component: DiscoveredComponent;
    readonly target: ConnectionTarget;
    readonly check: HealthCheck;
}

/** @stable */
export interface Health {
    readonly status: Status;
    readonly description?: string | undefined;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** @stable */
export interface HealthCheck {
    (signal: AbortSignal): string | Health | Promise<string | Health>;
    readonly close?: (() => void) | undefined;
    readonly isRemote?: boolean | undefined;
}

/** @stable */
export interface HealthCheckOptions {
    readonly indicators?: Indicators | undefined;
    readonly concurrency?: number | undefined;
    readonly slowCheck?: Duration | undefined;
}

/** @stable */
export interface HealthGroupMembers {
    readonly include?: readonly string[] | undefined;
    readonly exclude?: readonly string[] | undefined;
}

/** @stable */
export interface HealthScopeOptions {
    readonly order?: readonly Status[] | undefined;
    readonly showDetails?: Audience | undefined;
    readonly showComponents?: Audience | undefined;
}

/** @stable */
export interface HttpOptions {
    readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | undefined;
    readonly expectedStatus?: number | readonly number[] | ((status: number) => boolean) | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly agent?: Agent | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export type Indicator = HealthCheck | CheckedIndicator | StateIndicator | CompositeIndicator;

/** @stable */
export interface Indicators {
    readonly [name: string]: Indicator;
}

/** @stable */
export interface KafkaAdmin {
    describeCluster(): PromiseLike<{
        readonly brokers: readonly unknown[];
        readonly controller: number | null;
        readonly clusterId: string;
    }>;
}

/** @stable */
export interface KafkaOptions {
    readonly brokers?: number | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export type MaybePromise<T> = T | Promise<T>;

/** @stable */
export interface MemoryOptions {
    readonly maxUsage?: number | undefined;
    readonly heap?: (() => {
        readonly used: number;
        readonly limit: number;
    }) | undefined;
}

/** @stable */
export interface MongodbClient {
    db(name: string): MongodbDatabase;
}

/** @stable */
export interface MongodbDatabase {
    command(command: Record<string, unknown>): PromiseLike<unknown>;
}

/** @stable */
export interface MongodbOptions {
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface MysqlCallbackClient {
    promise(): MysqlPool | MysqlConnection;
}

/** @stable */
export interface MysqlConnection {
    query(text: string): PromiseLike<readonly [
        unknown,
        ...unknown[]
    ]>;
}

/** @stable */
export interface MysqlOptions {
    readonly validationQuery?: string | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface MysqlPool {
    getConnection(): PromiseLike<MysqlPoolConnection>;
}

/** @stable */
export interface MysqlPoolConnection extends MysqlConnection {
    release(): void;
    destroy(): void;
}

/** @stable */
export interface NatsConnection {
    flush(): PromiseLike<void>;
    readonly info?: {
        readonly version: string;
    } | undefined;
}

/** @stable */
export interface NatsOptions {
    readonly clock?: Clock | undefined;
}

/** @stable */
export type PemCertificates = string | Uint8Array | readonly (string | Uint8Array)[];

/** @stable */
export interface PostgresConnection {
    query(text: string): PromiseLike<{
        readonly rows: readonly unknown[];
    }>;
}

/** @stable */
export interface PostgresOptions {
    readonly validationQuery?: string | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface PostgresPool extends PostgresConnection {
    readonly totalCount: number;
    connect(callback: (error: Error | undefined, connection: PostgresPoolConnection | undefined) => void): unknown;
}

/** @stable */
export interface PostgresPoolConnection extends PostgresConnection {
    release(broken?: boolean): void;
    on(event: 'error', listener: (error: Error) => void): unknown;
    removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** @stable */
export interface PostgresSql {
    unsafe(text: string): PromiseLike<readonly unknown[]>;
}

/** @stable */
export interface RedisClient {
    ping(): PromiseLike<unknown>;
    info(section: 'server'): PromiseLike<unknown>;
    readonly status?: string | undefined;
    readonly isReady?: boolean | undefined;
}

/** @stable */
export interface RedisOptions {
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface ShownBundle {
    readonly name: string;
    readonly certificateChains: readonly ShownChain[];
    readonly trustStoreCertificateChains: readonly ShownChain[];
}

/** @stable */
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

/** @stable */
export interface ShownChain {
    readonly alias: string;
    readonly certificates: readonly ShownCertificate[];
}

/** @stable */
export interface SqlOptions {
    readonly query: (signal: AbortSignal) => unknown;
    readonly database?: string | undefined;
    readonly validationQuery?: string | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface SslBundles {
    bundles(): readonly ShownBundle[];
    readonly indicator: HealthCheck;
    measure(meters: MeterRegistry): () => void;
}

/** @stable */
export interface SslBundlesOptions {
    readonly expiresWithin?: Duration | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface StateIndicator {
    readonly state: () => string | Health;
}

/** @stable */
export type Status = 'UP' | 'DOWN' | 'OUT_OF_SERVICE' | 'UNKNOWN' | (string & {});

/** @stable */
export interface TcpOptions {
    readonly host?: string | undefined;
    readonly port: number;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface Tolerance {
    readonly failures?: number | undefined;
    readonly for?: Duration | undefined;
}

/** @stable */
export function amqp(connection: AmqpConnection | (() => AmqpConnection | undefined), options?: AmqpOptions): HealthCheck;

/** @stable */
export function composite(indicators: Indicators): CompositeIndicator;

/** @stable */
export function containerMemory(options?: ContainerMemoryOptions): HealthCheck;

/** @stable */
export function discoverClients(options?: DiscoverClientsOptions): ClientDiscovery;

/** @stable */
export function diskSpace(options?: DiskSpaceOptions): HealthCheck;

/** @stable */
export function dns(name: string, options?: DnsOptions): HealthCheck;

/** @stable */
export function eventLoop(options?: EventLoopOptions): HealthCheck;

/** @stable */
export function http(url: string | URL, options?: HttpOptions): HealthCheck;

/** @stable */
export function kafka(admin: KafkaAdmin, options?: KafkaOptions): HealthCheck;

/** @stable */
export function memory(options?: MemoryOptions): HealthCheck;

/** @stable */
export function mongodb(client: MongodbClient | MongodbDatabase, options?: MongodbOptions): HealthCheck;

/** @stable */
export function mysql(client: MysqlPool | MysqlConnection | MysqlCallbackClient, options?: MysqlOptions): HealthCheck;

/** @stable */
export function nats(connection: NatsConnection, options?: NatsOptions): HealthCheck;

/** @stable */
export function ping(): HealthCheck;

/** @stable */
export function postgres(client: PostgresPool | PostgresConnection | PostgresSql, options?: PostgresOptions): HealthCheck;

/** @stable */
export function redis(client: RedisClient, options?: RedisOptions): HealthCheck;

/** @stable */
export function sql(options: SqlOptions): HealthCheck;

/** @stable */
export function sslBundles(servers: Readonly<Record<string, CertifiedServer>>, options?: SslBundlesOptions): SslBundles;

/** @stable */
export function tcp(options: TcpOptions): HealthCheck;
