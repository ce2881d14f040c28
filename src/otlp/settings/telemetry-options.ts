import type { Clock } from '../../base/clock.ts'
import type { Duration } from '../../base/duration.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'

/** Of what telemetry is sent: what `createManagement` returned, or a registry of one's own as `{ meters }`. */
export interface MeasuredApplication {
  /** Gets the meters of the export itself, and is sent unless there is `measurements`. */
  readonly meters: MeterRegistry
  /** All that is sent, where that is more than `meters`. */
  readonly measurements?: SnapshotSource | undefined
  readonly application?: ApplicationName | undefined
  /** Reports what could not be sent, unless the options have a `report`. */
  readonly report?: Report | undefined
}

/** What an application is called, and which version of it runs. */
export interface ApplicationName {
  readonly name: string
  readonly version?: string | undefined
}

/** How one receiver is reached. What is not given is what the variables `OTEL_EXPORTER_OTLP_*` say. */
export interface ReceiverOptions {
  /** Sent along, for example `{ Authorization: 'Bearer …' }`; those of a signal go before those of both. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How long one export may take, repetitions included. @default '10s' */
  readonly timeout?: Duration | undefined
  /** @default 'none' */
  readonly compression?: 'gzip' | 'none' | undefined
  /** The only one that there is. @default 'http/protobuf' */
  readonly protocol?: 'http/protobuf' | undefined
}

/** What goes into the resource of everything that is sent. */
export type ResourceAttributes = Readonly<Record<string, string | number | boolean>>

export interface TracingExportOptions extends ReceiverOptions {
  /** Where traces are sent, as it stands. @default 'http://localhost:4318/v1/traces' */
  readonly url?: string | undefined
  /** The share of traces that are recorded where no caller has decided: 0 to 1. @default 1 */
  readonly probability?: number | undefined
  /** Sends traces, whatever `OTEL_TRACES_EXPORTER` says, or does not. @default true */
  readonly enabled?: boolean | undefined
  /** How many spans wait at most; what is beyond is dropped, and counted. @default 2048 */
  readonly maximumQueueSize?: number | undefined
  /** How many spans one request has at most. @default 512 */
  readonly maximumBatchSize?: number | undefined
  /** How long a span waits for others. @default '5s' */
  readonly delay?: Duration | undefined
}

export interface MetricsExportOptions extends ReceiverOptions {
  /** Where metrics are sent, as it stands. @default 'http://localhost:4318/v1/metrics' */
  readonly url?: string | undefined
  /** The interval between two exports. @default '60s' */
  readonly step?: Duration | undefined
  /**
   * Whether counts are those since the start, or those since the last export that was acknowledged; `lowmemory` is `delta`
   * but for function timers. @default 'cumulative'
   */
  readonly temporality?: 'cumulative' | 'delta' | 'lowmemory' | undefined
  /** Sends metrics, whatever `OTEL_METRICS_EXPORTER` says, or does not. @default true */
  readonly enabled?: boolean | undefined
}

export interface TelemetryOptions extends ReceiverOptions {
  readonly management: MeasuredApplication
  /** @default the application of the management */
  readonly application?: ApplicationName | undefined
  /** The receiver of both signals; `/v1/traces` and `/v1/metrics` are appended. @default 'http://localhost:4318' */
  readonly url?: string | undefined
  readonly tracing?: TracingExportOptions | false | undefined
  readonly metrics?: MetricsExportOptions | false | undefined
  /** Beside `service.name`, `service.version` and `service.instance.id`. @default {} */
  readonly resource?: ResourceAttributes | undefined
  /** Sends anything at all, whatever `OTEL_SDK_DISABLED` says. @default true */
  readonly enabled?: boolean | undefined
  /** How long `flush` and `shutdown` take at most. @default '5s' */
  readonly flushTimeout?: Duration | undefined
  /** Reports what could not be sent, once a minute at most. @default that of the management, else console.error */
  readonly report?: Report | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}
