// upkeep/cluster: 6 values, 31 types. Written by `npm run api`; do not edit.

/** @stable */
export interface Cluster {
    readonly id: string;
    readonly slot: number;
    readonly measurements: SnapshotSource;
    members(): readonly MemberRecord[];
    isFirst(): boolean;
    broadcast(command: ClusterCommand): void;
    leave(): void;
}

/** @stable */
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

/** @stable */
export interface ClusterHealthOptions {
    readonly ready?: ReadinessRule | undefined;
}

/** @stable */
export interface ClusterHost {
    attach(view: ClusterView): () => void;
    applyCommand(command: ClusterCommand): void;
    readonly respond: (request: string) => Promise<string>;
}

/** @stable */
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

/** @stable */
export interface ClusterOptions extends GroupOptions, MergeOptions {
    readonly health?: ClusterHealthOptions | undefined;
    readonly report?: Report | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export interface ClusterReader {
    readonly id: string;
    readonly measurements: SnapshotSource;
    members(): readonly MemberRecord[];
    refused(): readonly RefusedFile[];
    member(slot: number): SnapshotSource | undefined;
}

/** @stable */
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

/** @stable */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** @stable */
export type GaugeRule = 'sum' | 'max' | 'min' | 'last' | 'each';

/** @stable */
export interface GroupOptions {
    readonly group?: string | undefined;
    readonly directory?: string | undefined;
}

/** @stable */
export interface ListedGroup {
    readonly id: string;
    readonly members: readonly MemberRecord[];
}

/** @stable */
export interface MemberExemplar {
    readonly series: number;
    readonly bucket: number;
    readonly exemplar: Exemplar;
}

/** @stable */
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

/** @stable */
export interface MemberImage {
    readonly definitions: readonly (SeriesDefinition | undefined)[];
    readonly places: readonly number[];
    readonly cells: Float64Array;
    readonly exemplars: readonly MemberExemplar[];
    readonly generation: string;
}

/** @stable */
export interface MemberRecord {
    readonly identity: MemberIdentity;
    readonly state: MemberState;
    readonly isAlive: boolean;
    readonly isProcessAlive: boolean;
    readonly age: number;
    readonly image: MemberImage;
}

/** @stable */
export type MemberResponse = {
    readonly text: string;
} | 'gone' | 'timeout';

/** @stable */
export interface MemberState {
    readonly readiness: 'ACCEPTING_TRAFFIC' | 'REFUSING_TRAFFIC';
    readonly liveness: 'CORRECT' | 'BROKEN';
    readonly isFinal: boolean;
}

/** @stable */
export interface MergeOptions {
    readonly gauges?: Readonly<Record<string, GaugeRule>> | undefined;
    readonly maximumSeriesPerMeter?: number | undefined;
}

/** @stable */
export interface ReadClusterOptions extends Omit<GroupOptions, 'group'>, MergeOptions {
    readonly group?: string | undefined;
    readonly report?: Report | undefined;
    readonly clock?: Clock | undefined;
}

/** @stable */
export type ReadinessRule = 'any' | 'all' | {
    readonly atLeast: number;
};

/** @stable */
export interface RefusedFile {
    readonly file: string;
    readonly reason: string;
}

/** @stable */
export interface ReloadOptions {
    readonly startTimeout?: Duration | undefined;
    readonly stopTimeout?: Duration | undefined;
    readonly fork?: ((replaced: Worker) => Worker) | undefined;
    readonly ready?: ((worker: Worker, signal: AbortSignal) => unknown) | undefined;
    readonly report?: Report | undefined;
}

/** @stable */
export interface ReloadResult {
    readonly replaced: readonly ReplacedWorker[];
}

/** @stable */
export interface ReplacedWorker {
    readonly id: number;
    readonly replacement: number;
    readonly end: WorkerEnd;
}

/** @stable */
export type Report = (message: string, cause?: unknown) => void;

/** @stable */
export interface SeriesDefinition {
    readonly kind: SeriesKind;
    readonly id: MeterId;
    readonly created: number;
    readonly bounds?: readonly number[];
    readonly exponentialBuckets?: number;
    readonly rule?: GaugeRule;
}

/** @stable */
export type SeriesKind = 'counter' | 'gauge' | 'functionTimer' | 'timer' | 'summary' | 'longTaskTimer';

/** @stable */
export interface StopOptions {
    readonly stopTimeout?: Duration | undefined;
}

/** @stable */
export interface StopResult {
    readonly exited: number;
    readonly killed: number;
}

/** @stable */
export type WorkerEnd = 'exited' | 'killed';

/** @stable */
export function joinCluster(management: ClusterManagement, options?: ClusterOptions): Cluster;

/** @stable */
export function listClusters(options?: ReadClusterOptions): readonly ListedGroup[];

/** @stable */
export function readCluster(options?: ReadClusterOptions): ClusterReader;

/** @stable */
export function reloadOnSignal(signal?: NodeJS.Signals, options?: ReloadOptions): () => void;

/** @stable */
export function reloadWorkers(options?: ReloadOptions): Promise<ReloadResult>;

/** @stable */
export function stopWorkers(options?: StopOptions): Promise<StopResult>;
