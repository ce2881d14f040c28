// upkeep/cluster: 6 values, 31 types. Written by `npm run api`; do not edit.

export interface Cluster {
    readonly id: string;
    readonly slot: number;
    readonly measurements: SnapshotSource;
    members(): readonly MemberRecord[];
    isFirst(): boolean;
    broadcast(command: ClusterCommand): void;
    leave(): void;
}

export type ClusterCommand = {
    readonly kind: 'log-level';
    readonly logger: string;
    readonly level: string | undefined;
    readonly until: number | undefined;
    readonly slots?: readonly number[];
} | {
    readonly kind: 'shutdown';
    readonly reason: string;
    readonly slots?: readonly number[];
} | {
    readonly kind: 'requests';
    readonly until: number;
    readonly slots?: readonly number[];
};

export interface ClusterHealthOptions {
    readonly ready?: ReadinessRule | undefined;
}

export interface ClusterHost {
    attach(view: ClusterView): () => void;
    applyCommand(command: ClusterCommand): void;
    readonly respond: (request: string) => Promise<string>;
}

export interface ClusterManagement {
    readonly application?: {
        readonly name: string;
        readonly version?: string | undefined;
    } | undefined;
    readonly meters: MeterRegistry;
    readonly measurements: SnapshotSource;
    readonly availability: Availability;
    readonly cluster: ClusterHost;
    readonly report: Report;
}

export interface ClusterOptions extends GroupOptions, MergeOptions {
    readonly health?: ClusterHealthOptions | undefined;
    readonly report?: Report | undefined;
    readonly clock?: Clock | undefined;
}

export interface ClusterReader {
    readonly id: string;
    readonly measurements: SnapshotSource;
    members(): readonly MemberRecord[];
    refused(): readonly RefusedFile[];
    member(slot: number): SnapshotSource | undefined;
}

export interface ClusterView {
    readonly source: SnapshotSource;
    readonly member: (slot: number) => SnapshotSource | undefined;
    readonly members: () => readonly MemberRecord[];
    readonly refused: () => number;
    readonly broadcast: (command: ClusterCommand) => void;
    readonly request: (slot: number, request: string, milliseconds: number) => Promise<MemberResponse>;
    readonly slot: number;
    readonly health?: ClusterHealthOptions | undefined;
    readonly leave?: (() => void) | undefined;
}

export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

export type GaugeRule = 'sum' | 'max' | 'min' | 'last' | 'each';

export interface GroupOptions {
    readonly group?: string | undefined;
    readonly directory?: string | undefined;
}

export interface ListedGroup {
    readonly id: string;
    readonly members: readonly MemberRecord[];
}

export interface MemberExemplar {
    readonly series: number;
    readonly bucket: number;
    readonly exemplar: Exemplar;
}

export interface MemberIdentity {
    readonly slot: number;
    readonly incarnation: string;
    readonly pid: number;
    readonly processStart: string;
    readonly systemThread: string | undefined;
    readonly parent: number;
    readonly threadId: number;
    readonly joinedAt: number;
    readonly application: string;
    readonly version: string | undefined;
}

export interface MemberImage {
    readonly definitions: readonly (SeriesDefinition | undefined)[];
    readonly places: readonly number[];
    readonly cells: Float64Array;
    readonly exemplars: readonly MemberExemplar[];
    readonly generation: string;
}

export interface MemberRecord {
    readonly identity: MemberIdentity;
    readonly state: MemberState;
    readonly isAlive: boolean;
    readonly isProcessAlive: boolean;
    readonly age: number;
    readonly image: MemberImage;
}

export type MemberResponse = {
    readonly text: string;
} | 'gone' | 'timeout';

export interface MemberState {
    readonly readiness: 'ACCEPTING_TRAFFIC' | 'REFUSING_TRAFFIC';
    readonly liveness: 'CORRECT' | 'BROKEN';
    readonly isFinal: boolean;
}

export interface MergeOptions {
    readonly gauges?: Readonly<Record<string, GaugeRule>> | undefined;
    readonly maximumSeriesPerMeter?: number | undefined;
}

export interface ReadClusterOptions extends Omit<GroupOptions, 'group'>, MergeOptions {
    readonly group?: string | undefined;
    readonly report?: Report | undefined;
    readonly clock?: Clock | undefined;
}

export type ReadinessRule = 'any' | 'all' | {
    readonly atLeast: number;
};

export interface RefusedFile {
    readonly file: string;
    readonly reason: string;
}

export interface ReloadOptions {
    readonly startTimeout?: Duration | undefined;
    readonly stopTimeout?: Duration | undefined;
    readonly fork?: ((replaced: Worker) => Worker) | undefined;
    readonly ready?: ((worker: Worker, signal: AbortSignal) => unknown) | undefined;
    readonly report?: Report | undefined;
}

export interface ReloadResult {
    readonly replaced: readonly ReplacedWorker[];
}

export interface ReplacedWorker {
    readonly id: number;
    readonly replacement: number;
    readonly end: WorkerEnd;
}

export type Report = (message: string, cause?: unknown) => void;

export interface SeriesDefinition {
    readonly kind: SeriesKind;
    readonly id: MeterId;
    readonly created: number;
    readonly bounds?: readonly number[];
    readonly exponentialBuckets?: number;
    readonly rule?: GaugeRule;
}

export type SeriesKind = 'counter' | 'gauge' | 'functionTimer' | 'timer' | 'summary' | 'longTaskTimer';

export interface StopOptions {
    readonly stopTimeout?: Duration | undefined;
}

export interface StopResult {
    readonly exited: number;
    readonly killed: number;
}

export type WorkerEnd = 'exited' | 'killed';

export function joinCluster(management: ClusterManagement, options?: ClusterOptions): Cluster;

export function listClusters(options?: ReadClusterOptions): readonly ListedGroup[];

export function readCluster(options?: ReadClusterOptions): ClusterReader;

export function reloadOnSignal(signal?: NodeJS.Signals, options?: ReloadOptions): () => void;

export function reloadWorkers(options?: ReloadOptions): Promise<ReloadResult>;

export function stopWorkers(options?: StopOptions): Promise<StopResult>;
