import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { ConsoleOptions } from '../console/console-options.ts'
import type { SslBundles } from '../health/indicators/ssl/ssl-bundles.ts'
import type { Authorize } from '../http/authorize.ts'
import type { CorsOptions } from '../http/conventions/cors.ts'
import type { Caches } from '../instrumentation/caches/caches.ts'
import type { ObservationOptions } from '../instrumentation/observation.ts'
import type { ScheduledTasks } from '../instrumentation/tasks/scheduled-tasks.ts'
import type { Loggers } from '../logging/levels/loggers.ts'
import type { MeterRegistryOptions } from '../metrics/meter-registry.ts'
import type { Tags } from '../metrics/series/tags.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { RuntimeMetersOptions } from '../runtime/runtime-meters.ts'
import type { HeapDumpOptions } from '../watch/heap/heap-dump.ts'
import type { ProfileOptions } from '../watch/profile/profile-options.ts'
import type { RecorderOptions } from '../watch/recorder/recorder-options.ts'
import type { AccessOptions } from './access.ts'
import type { AuditFile } from './audit-file.ts'
import type { AuditEvent } from './audit-log.ts'
import type { Endpoint, EndpointId } from './endpoints/endpoint.ts'
import type { HealthOptions } from './endpoints/health.ts'
import type { EnvOptions } from './env/env-options.ts'
import type { HttpExchangesOptions } from './http-exchanges/http-exchanges-options.ts'
import type { InfoOptions } from './info/info-contributors.ts'

/** Tracing of the application. */
export interface TracingOptions {
  /**
   * The share of new traces that are sampled, from 0 to 1. For a trace that a caller has started, the decision of the
   * caller is used. If the application has an OpenTelemetry SDK, its sampler decides about the traces that this option,
   * if set, selects. @default 1
   */
  readonly probability?: number | undefined
  /**
   * The keys of W3C Baggage whose values are added to log records and to spans. All baggage is propagated. @default {}
   */
  readonly baggage?: { readonly logFields?: readonly string[]; readonly spanAttributes?: readonly string[] } | undefined
}

/** Metrics of the application. */
export interface MetricsOptions extends Omit<MeterRegistryOptions, 'clock' | 'diagnose'> {
  /** Tags of all meters. The own tags of a meter take precedence. @default {} */
  readonly commonTags?: Tags | undefined
  /**
   * Whether OpenMetrics contains a `_created` sample with the start time of each counter, timer and summary. Prometheus
   * stores each as an additional series. @default false
   */
  readonly createdTimestamps?: boolean | undefined
  /** Additional sources of meters, such as `prometheusRegistry(register)`. @default [] */
  readonly sources?: readonly SnapshotSource[] | undefined
  /**
   * The meters of the process. `prefix` begins the names of those for memory, garbage collection and threads. @default
   * true
   */
  readonly runtime?: boolean | RuntimeMetersOptions | undefined
}

/** Options of `createManagement`. */
export interface ManagementOptions {
  /** The name and version of the application, as `info` reports them. */
  readonly application?: { readonly name: string; readonly version?: string | undefined } | undefined
  /** The path of the endpoints, without a trailing slash, or `/`. @default '/management' */
  readonly basePath?: string | undefined
  /**
   * The paths of endpoints by id, such as `{ prometheus: '/metrics' }`, and of single paths below them, such as
   * `{ 'health/liveness': '/livez' }`. With a leading slash a path begins at the root of the server, otherwise at
   * `basePath`. An endpoint is moved there with all that is below it, a single path is served there as well.
   * @default {}
   */
  readonly paths?: Readonly<Record<string, string>> | undefined
  /**
   * The names, units and tags of the meters of requests, clients, databases, messaging and the runtime: those of Spring
   * Boot 4 and Micrometer, or of OpenTelemetry's semantic conventions. @default 'micrometer'
   */
  readonly conventions?: 'micrometer' | 'opentelemetry' | undefined
  /**
   * Endpoints of your own. Each is served if `expose` lists it, and requires `authorize` unless it is public. @default
   * []
   */
  readonly endpoints?: readonly Endpoint[] | undefined
  /** The endpoints that are served. @default ['health'] */
  readonly expose?: readonly EndpointId[] | undefined
  /**
   * The callers that each endpoint accepts. @default 'public' for `health`, `info`, `metrics`, `prometheus` and GET of
   * `loggers`, 'authorized' for all others
   */
  readonly access?: AccessOptions | undefined
  /** Indicators and groups, how checks are run, and who sees what. @default the availability of the application */
  readonly health?: HealthOptions | undefined
  /** What `info` responds with. */
  readonly info?: InfoOptions | undefined
  /** Which values `env` shows, and the configuration of the application. @default masked values of the process */
  readonly env?: EnvOptions | undefined
  /** Which requests `httpexchanges` shows, and which of their fields. @default the last 100 */
  readonly httpExchanges?: HttpExchangesOptions | undefined
  /** Meters of the runtime, further registries, and filters. */
  readonly metrics?: MetricsOptions | undefined
  /** Which requests are observed, and how their paths are redacted. */
  readonly observation?: ObservationOptions | undefined
  /**
   * Whether and how requests are traced. By default they are traced if the application has an OpenTelemetry SDK or
   * exports telemetry by `upkeep/otlp`; otherwise tracing is disabled and has no cost.
   */
  readonly tracing?: boolean | TracingOptions | undefined
  /** The loggers that the endpoint `loggers` shows and changes, such as `pinoLoggers(logger)`. */
  readonly loggers?: Loggers | undefined
  /** How the endpoints `profile` and `pprof` take profiles. */
  readonly profile?: ProfileOptions | undefined
  /** The path of the file that the endpoint `logfile` serves. */
  readonly logFile?: string | undefined
  /**
   * Groups of loggers by name, each with the names of its members, such as `{ sql: ['orders.db', 'knex'] }`. The
   * endpoint `loggers` changes the levels of all members at once. @default {}
   */
  readonly loggerGroups?: Readonly<Record<string, readonly string[]>> | undefined
  /** The caches that the endpoint `caches` shows and clears, of `createCaches`. They are measured. */
  readonly caches?: Caches | undefined
  /**
   * The files of software bills of materials by id, such as `{ application: 'sbom.cdx.json' }`, that the endpoint
   * `sbom` serves. Relative paths are resolved against the working directory.
   */
  readonly sbom?: Readonly<Record<string, string>> | undefined
  /** The certificates of the application's servers, of `sslBundles`, for `info.ssl`. They are measured. */
  readonly ssl?: SslBundles | undefined
  /** The tasks that the endpoint `scheduledtasks` shows, of `createScheduledTasks`. They are measured. */
  readonly scheduledTasks?: ScheduledTasks | undefined
  /** When the endpoint `heapdump` refuses a snapshot, and where it is written. */
  readonly heapdump?: HeapDumpOptions | undefined
  /**
   * The pages of other origins that may request the endpoints, and how. @default none: browsers let them read nothing
   */
  readonly cors?: CorsOptions | undefined
  /**
   * The flight recorder, which captures evidence in the thread of the watchdog; the endpoint `captures` shows it. `{}`
   * selects the defaults. @default none @experimental
   */
  readonly recorder?: RecorderOptions | undefined
  /** Identifies the caller of a request. Without it no request is authorized. */
  readonly authorize?: Authorize | undefined
  /** What the endpoint `console` keeps. @experimental */
  readonly console?: ConsoleOptions | undefined
  /**
   * Called with each operation of an endpoint that changes something or downloads a dump, a profile or a file: who did
   * it, what, and with which outcome; or the file to which they are appended. At most 60 at once and one per second.
   * @default one line to `report`
   */
  readonly audit?: ((event: AuditEvent) => unknown) | AuditFile | undefined
  /** @default the clock of the system */
  readonly clock?: Clock | undefined
  /** Called with internal errors. @default the logger of `loggers`, or console.error */
  readonly report?: Report | undefined
}
