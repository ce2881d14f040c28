// upkeep/contract: 3 values, 19 types. Written by `npm run api`; do not edit.

/** @experimental */
export interface AdapterConformanceOptions {
    readonly start: (application: ConformanceApplication) => StartedApplication | Promise<StartedApplication>;
    readonly prefix?: string | undefined;
    readonly bodyParser?: boolean | undefined;
    readonly template?: ((path: string) => string) | undefined;
    readonly unsupported?: UnsupportedAbilities | undefined;
    readonly patience?: Duration | undefined;
    readonly onSkip?: OnSkip | undefined;
}

/** @experimental */
export type CaseOutcome = {
    readonly kind: 'held';
} | {
    readonly kind: 'skipped';
    readonly reason: string;
} | {
    readonly kind: 'broken';
    readonly violation: Violation;
};

/** @experimental */
export type ConformanceAbility = (typeof abilities)[number];

/** @experimental */
export interface ConformanceApplication {
    readonly options: ConformanceManagementOptions;
    readonly prefix: string;
    readonly bodyParser: boolean;
    readonly routes: readonly ConformanceRoute[];
    readonly otherwise: (path: string) => RouteAnswer;
    readonly report: (error: unknown) => void;
}

/** @experimental */
export interface ConformanceCase {
    readonly title: string;
    readonly needs: ConformanceAbility | undefined;
    readonly run: (this: unknown, ...context: never[]) => Promise<void>;
}

/** @experimental */
export interface ConformanceManagementOptions {
    readonly application: {
        readonly name: string;
        readonly version: string;
    };
    readonly endpoints?: readonly Endpoint[];
    readonly expose: readonly EndpointId[];
    readonly health: HealthOptions;
    readonly info: {
        readonly build: false;
        readonly git: false;
        readonly contributors: readonly InfoContributor[];
    };
    readonly authorize: Authorize;
    readonly access?: AccessOptions;
    readonly metrics?: {
        readonly sources: readonly SnapshotSource[];
    };
    readonly loggers?: Loggers;
    readonly tracing?: true;
    readonly report?: Report;
}

/** @experimental */
export interface ConformanceRoute {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly answer: (readBody: () => Promise<string>) => Promise<RouteAnswer>;
}

/** @experimental */
export interface ContractCase {
    readonly id: string;
    readonly area: string;
    readonly level: RequirementLevel;
    readonly rule: string;
    readonly section: string;
    readonly title: string;
    readonly run: (this: unknown, ...context: never[]) => Promise<void>;
    readonly check: () => Promise<CaseOutcome>;
}

/** @experimental */
export interface ContractOptions {
    readonly baseUrl: string | (() => string);
    readonly basePath?: string | undefined;
    readonly paths?: Readonly<Record<string, string>> | undefined;
    readonly profile?: ProfileName | undefined;
    readonly token?: string | undefined;
    readonly authorization?: string | undefined;
    readonly only?: readonly string[] | undefined;
    readonly level?: RequirementLevel | undefined;
    readonly endpoints?: readonly string[] | undefined;
    readonly expose?: readonly string[] | undefined;
    readonly details?: DetailsFor | undefined;
    readonly hook?: string | undefined;
    readonly route?: string | undefined;
    readonly relay?: string | undefined;
    readonly unsupported?: UnsupportedAbilities<'rawTargets'> | undefined;
    readonly states?: Readonly<Partial<Record<StateName, StateHook>>> | undefined;
    readonly timeout?: Duration | undefined;
    readonly patience?: Duration | undefined;
    readonly onSkip?: ((id: string, reason: string) => void) | undefined;
}

/** @experimental */
export type DetailsFor = 'never' | 'when-authorized' | 'always';

/** @experimental */
export type OnSkip = (name: string, reason: string) => void;

/** @experimental */
export type ProfileName = 'upkeep' | 'spring';

/** @experimental */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'MAY';

/** @experimental */
export interface RouteAnswer {
    readonly status: number;
    readonly fields: Readonly<Record<string, string>>;
    readonly body: string | AsyncIterable<string>;
}

/** @experimental */
export interface StartedApplication {
    readonly port: number;
    readonly management: {
        readonly meters: MeterRegistry;
        readonly availability: Availability;
        close(): void;
    };
    readonly close: () => unknown;
}

/** @experimental */
export interface StateHook {
    readonly enter: () => unknown;
    readonly leave: () => unknown;
}

/** @experimental */
export type StateName = 'notReady' | 'databaseDown' | 'notAlive';

/** @experimental */
export type UnsupportedAbilities<A extends ConformanceAbility = ConformanceAbility> = Readonly<Partial<Record<A, string | undefined>>>;

/** @experimental */
export interface Violation {
    readonly sent: string;
    readonly received: string;
    readonly expected: string;
}

/** @experimental */
export function adapterConformance(options: AdapterConformanceOptions): readonly ConformanceCase[];

/** @experimental */
export function contract(options: ContractOptions): readonly ContractCase[];

/** @experimental */
export const contractAreas: readonly string[];
