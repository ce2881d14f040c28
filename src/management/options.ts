import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { Authorize } from '../http/authorize.ts'
import type { ObservationOptions } from '../instrumentation/observation.ts'
import type { Loggers } from '../logging/levels/loggers.ts'
import type { MeterRegistryOptions } from '../metrics/meter-registry.ts'
import type { Tags } from '../metrics/series/tags.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { RuntimeMetersOptions } from '../runtime/runtime-meters.ts'
import type { AccessOptions } from './access.ts'
import type { Endpoint, EndpointId } from './endpoints/endpoint.ts'
import type { HealthOptions } from './endpoints/health.ts'
import type { InfoOptions } from './info/info-contributors.ts'

/** How the application is traced. */
export interface TracingOptions {
  /**
   * The share of new traces that are sampled, from 0 to 1; one that a caller began is sampled when the caller says so.
   * Where the application has an OpenTelemetry SDK, its sampler decides, after this where this is given. @default 1
   */
  readonly probability?: number | undefined
}

/** How the application is measured. */
export interface MetricsOptions extends Omit<MeterRegistryOptions, 'clock' | 'diagnose'> {
  /** Tags that every meter has, unless it has its own of that key. @default {} */
  readonly commonTags?: Tags | undefined
  /**
   * Whether OpenMetrics pages say by `_created` samples when counters, timers and summaries began. A Prometheus stores
   * each as one more series. @default false
   */
  readonly createdTimestamps?: boolean | undefined
  /** What is read beside the application's own meters: `prometheusRegistry(register)`. @default [] */
  readonly sources?: readonly SnapshotSource[] | undefined
  /** The meters of the process; `prefix` says how those of memory, collections and threads are called. @default true */
  readonly runtime?: boolean | RuntimeMetersOptions | undefined
}

/** Options of `createManagement`. */
export interface ManagementOptions {
  /** What the application is called, and which version of it runs; told by `info`. */
  readonly application?: { readonly name: string; readonly version?: string | undefined } | undefined
  /** Where the endpoints are: a path without a trailing slash, or `/`. @default '/management' */
  readonly basePath?: string | undefined
  /**
   * Endpoints of your own. Each is served where `expose` names it, and requires `authorize` unless it is public.
   * @default []
   */
  readonly endpoints?: readonly Endpoint[] | undefined
  /** The endpoints that are served. @default ['health'] */
  readonly expose?: readonly EndpointId[] | undefined
  /** Who may call which of them. @default 'public' for the built-in endpoints, 'authorized' for your own */
  readonly access?: AccessOptions | undefined
  /** Indicators and groups, how checks are run, and who sees what. @default the availability of the application */
  readonly health?: HealthOptions | undefined
  /** What `info` responds with. */
  readonly info?: InfoOptions | undefined
  /** Meters of the runtime, further registries, and filters. */
  readonly metrics?: MetricsOptions | undefined
  /** Which requests are observed, and how their paths are redacted. */
  readonly observation?: ObservationOptions | undefined
  /**
   * Whether requests are traced, and how. Without it they are where there is an OpenTelemetry SDK already, or telemetry
   * is exported by `upkeep/otlp`; otherwise nothing is traced, and nothing is spent on it.
   */
  readonly tracing?: boolean | TracingOptions | undefined
  /** The loggers that the endpoint `loggers` is about, such as `pinoLoggers(logger)`. */
  readonly loggers?: Loggers | undefined
  /** Says who is asking; without it nobody is authorized. */
  readonly authorize?: Authorize | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
  /** Called with what fails inside. @default the logger of `loggers`, or console.error */
  readonly report?: Report | undefined
}
