// upkeep/auto: 0 values, 2 types. Written by `npm run api`; do not edit.

/** @stable */
export interface AutoOptions {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly tls?: TlsFiles | undefined;
    readonly maxConnections?: number | undefined;
    readonly maxConnectionsPerAddress?: number | undefined;
    readonly auditFile?: string | undefined;
    readonly token?: string | undefined;
    readonly expose?: readonly EndpointId[] | undefined;
    readonly conventions?: 'micrometer' | 'opentelemetry' | undefined;
    readonly group?: string | undefined;
    readonly logTraceIds?: boolean | undefined;
    readonly routes?: readonly string[] | undefined;
    readonly discover?: boolean | readonly DiscoveredKind[] | undefined;
    readonly readiness?: readonly string[] | undefined;
    readonly shutdown?: ShutdownTimes | undefined;
    readonly management?: ManagementOptions | undefined;
}

/** @stable */
export interface ShutdownTimes {
    readonly delay?: Duration | undefined;
    readonly timeout?: Duration | undefined;
}
