import type { Clock } from '../../base/clock.ts'
import type { Duration } from '../../base/duration.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'

/** The source of the telemetry: the result of `createManagement`, or a registry as `{ meters }`. */
export interface MeasuredApplication {
  /** Registry for the meters of the export itself; exported unless `measurements` is set. */
  readonly meters: MeterRegistry
  /** Source of all exported metrics, if more than `meters`. @default `meters` */
  readonly measurements?: SnapshotSource | undefined
  readonly application?: ApplicationName | undefined
  /** Reports failed exports, unless the options have a `report`. */
  readonly report?: Report | undefined
}

/** Name and version of the application. */
export interface ApplicationName {
  readonly name: string
  readonly version?: string | undefined
}

/** How to connect to a receiver. The defaults are overridden by the variables `OTEL_EXPORTER_OTLP_*`. */
export interface ReceiverOptions {
  /**
   * Header fields of each request, such as `{ Authorization: 'Bearer …' }`; those of a signal take precedence over
   * general ones. @default {}
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Timeout of one export, retries included. @default '10s' */
  readonly timeout?: Duration | undefined
  /** Compression of requests. @default 'none' */
  readonly compression?: 'gzip' | 'none' | undefined
  /** Encoding of requests. @default 'http/protobuf' */
  readonly protocol?: 'http/protobuf' | 'http/json' | undefined
}

/** Resource attributes of all exported telemetry. */
export type ResourceAttributes = Readonly<Record<string, string | number | boolean>>

/** Where and how traces are exported. */
export interface TracingExportOptions extends ReceiverOptions {
  /** URL for traces, used unchanged. @default 'http://localhost:4318/v1/traces' */
  readonly url?: string | undefined
  /** Fraction of traces to record when the caller has made no decision, 0 to 1. @default 1 */
  readonly probability?: number | undefined
  /** Whether traces are exported; takes precedence over `OTEL_TRACES_EXPORTER`. @default true */
  readonly enabled?: boolean | undefined
  /** Maximum number of spans that wait to be encoded. Further spans are dropped and counted. @default 2048 */
  readonly maximumQueueSize?: number | undefined
  /**
   * Maximum bytes of encoded spans that wait for the receiver. Beyond, the oldest batch is dropped and counted. Ignored
   * with `exporter: 'opentelemetry'`. @default 16777216
   */
  readonly maximumQueueBytes?: number | undefined
  /**
   * Maximum number of spans per request. An export begins as soon as so many wait, or 512 if this is not set. Requests
   * of more than 512 stay below 4 MB. @default 2048
   */
  readonly maximumBatchSize?: number | undefined
  /** Maximum time a span is queued before an export. @default '5s' */
  readonly delay?: Duration | undefined
}

/** Where and how metrics are exported. */
export interface MetricsExportOptions extends ReceiverOptions {
  /** URL for metrics, used unchanged. @default 'http://localhost:4318/v1/metrics' */
  readonly url?: string | undefined
  /** Interval between two exports. @default '60s' */
  readonly step?: Duration | undefined
  /**
   * Whether counts are cumulative or since the last acknowledged export; `lowmemory` is `delta` except for function
   * timers. @default 'cumulative'
   */
  readonly temporality?: 'cumulative' | 'delta' | 'lowmemory' | undefined
  /** Whether metrics are exported; takes precedence over `OTEL_METRICS_EXPORTER`. @default true */
  readonly enabled?: boolean | undefined
}

/** Where and how log records are exported. */
export interface LogsExportOptions extends ReceiverOptions {
  /** URL for log records, used unchanged. @default 'http://localhost:4318/v1/logs' */
  readonly url?: string | undefined
  /** Whether log records are exported; takes precedence over `OTEL_LOGS_EXPORTER`. @default true */
  readonly enabled?: boolean | undefined
  /** The least severe level that is exported, of those that a logger writes. @default 'TRACE' */
  readonly level?: 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL' | undefined
  /** Whether what is written with `console` is exported, too. @default false */
  readonly console?: boolean | undefined
  /** Maximum number of records that wait to be encoded. Further ones are dropped and counted. @default 2048 */
  readonly maximumQueueSize?: number | undefined
  /**
   * Maximum bytes of encoded records that wait for the receiver. Beyond, the oldest batch is dropped and counted.
   * @default 16777216
   */
  readonly maximumQueueBytes?: number | undefined
  /**
   * Maximum number of records per request. An export begins as soon as so many wait, or 512 if this is not set.
   * Requests of more than 512 stay below 4 MB. @default 2048
   */
  readonly maximumBatchSize?: number | undefined
  /** Maximum time a record is queued before an export. @default '1s' */
  readonly delay?: Duration | undefined
}

/** The cluster whose metrics are exported as one: the result of `joinCluster`. */
export interface ExportedCluster {
  /** The values of all members as one. */
  readonly measurements: SnapshotSource
  /** Identifies the group, as long as it has members. */
  readonly id: string
  /** Returns whether this member has the lowest slot of those that are alive. */
  isFirst(): boolean
}

/** Which requests are exported although they are not sampled, besides those that fail or are aborted. */
export interface FailedRequestsOptions {
  /** The duration from which on a request is slow. @default '1s' */
  readonly slowerThan?: Duration | undefined
}

/** Options of `startTelemetry`. */
export interface TelemetryOptions extends ReceiverOptions {
  /** The management whose meters and spans are exported. */
  readonly management: MeasuredApplication
  /**
   * The cluster that the management has joined: its metrics are exported once for all members, by the first one that is
   * alive, with `service.instance.id` of the group. Requires cumulative temporality. Traces and log records remain
   * those of each member. @default each member exports its own metrics
   */
  readonly cluster?: ExportedCluster | undefined
  /** Name and version of the application. @default those of the management */
  readonly application?: ApplicationName | undefined
  /**
   * `upkeep` requires no packages; `opentelemetry` uses the exporters of OpenTelemetry, which have to be installed.
   * @default 'upkeep'
   */
  readonly exporter?: 'upkeep' | 'opentelemetry' | undefined
  /** Base URL for all signals; `/v1/traces` and so on are appended. @default 'http://localhost:4318' */
  readonly url?: string | undefined
  /** The export of traces; `false` exports none. @default {} */
  readonly tracing?: TracingExportOptions | false | undefined
  /** The export of metrics; `false` exports none. @default {} */
  readonly metrics?: MetricsExportOptions | false | undefined
  /** The export of log records; `false` exports none. @default {} */
  readonly logs?: LogsExportOptions | false | undefined
  /**
   * Whether requests that fail, are aborted or are slow are exported with all their spans and log records, also those
   * that are not sampled and those below `logs.level`. They are held in memory until the request ends: at most 64 KB of
   * a request and 16 MB of the process. `true` uses the default threshold. @default false
   */
  readonly keepFailedRequests?: boolean | FailedRequestsOptions | undefined
  /** Attributes in addition to `service.name`, `service.version` and `service.instance.id`. @default {} */
  readonly resource?: ResourceAttributes | undefined
  /** Whether anything is exported; takes precedence over `OTEL_SDK_DISABLED`. @default true */
  readonly enabled?: boolean | undefined
  /**
   * When data is sent: `interval` also in the background, `flush` only during `flush` and `shutdown`, without any timer
   * in between, for processes that are frozen between invocations. `flush` requires `exporter: 'upkeep'`.
   * @default 'interval'
   */
  readonly schedule?: 'interval' | 'flush' | undefined
  /** Timeout of `flush` and `shutdown`. @default '5s' */
  readonly flushTimeout?: Duration | undefined
  /**
   * Called when exports fail, at most once a minute per receiver. @default that of the management, else console.error
   */
  readonly report?: Report | undefined
  /** @default system clock */
  readonly clock?: Clock | undefined
}
