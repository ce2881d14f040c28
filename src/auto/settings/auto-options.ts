import type { Duration } from '../../base/duration.ts'
import type { EndpointId } from '../../entries/index.ts'
import type { DiscoveredKind } from '../../health/discovery/client-kind.ts'
import type { ConnectionLimits } from '../../lifecycle/connection-limit.ts'
import type { TlsFiles } from '../../lifecycle/tls-files.ts'
import type { ManagementOptions } from '../../management/options.ts'

/** The contents of `upkeep.config.js` or `upkeep.config.json`. Environment variables take precedence. */
export interface AutoOptions {
  /** The port of the management endpoints; `UPKEEP_PORT`. @default 8690 */
  readonly port?: number | undefined
  /** The address that they are served at; `UPKEEP_HOST`. @default '0.0.0.0' */
  readonly host?: string | undefined
  /**
   * The files of a certificate, to serve HTTPS; `UPKEEP_TLS_CERT_FILE`, `UPKEEP_TLS_KEY_FILE` and
   * `UPKEEP_TLS_CLIENT_CA_FILE`. @default HTTP
   */
  readonly tls?: TlsFiles | undefined
  /** The number of connections at a time; `UPKEEP_MAX_CONNECTIONS`. @default 256 */
  readonly maxConnections?: number | undefined
  /** The number of connections of one address; `UPKEEP_MAX_CONNECTIONS_PER_ADDRESS`. @default 64 */
  readonly maxConnectionsPerAddress?: number | undefined
  /** The file to which audit events are appended; `UPKEEP_AUDIT_FILE`. @default lines of the log */
  readonly auditFile?: string | undefined
  /** The bearer token of all endpoints but `health`; `UPKEEP_TOKEN`. Without one they are not served. */
  readonly token?: string | undefined
  /** The endpoints that are served with a token; `UPKEEP_EXPOSE`, separated by commas. @default all that can be */
  readonly expose?: readonly EndpointId[] | undefined
  /** The names of meters; `UPKEEP_CONVENTIONS`. @default 'micrometer' */
  readonly conventions?: 'micrometer' | 'opentelemetry' | undefined
  /** The group of processes whose values are merged; `UPKEEP_GROUP`. @default those of `node:cluster` and PM2 */
  readonly group?: string | undefined
  /** Whether pino, winston and the console log trace ids; `UPKEEP_LOG_TRACE_IDS`. @default false */
  readonly logTraceIds?: boolean | undefined
  /** The templates of routes of plain `node:http`, such as `/orders/:id`; `UPKEEP_ROUTES`, separated by commas. */
  readonly routes?: readonly string[] | undefined
  /**
   * Whether the disk and the clients that the application creates are components of health, or which of them;
   * `UPKEEP_DISCOVER`, separated by commas. @default true
   */
  readonly discover?: boolean | readonly DiscoveredKind[] | undefined
  /**
   * Components of health on which readiness depends, such as `db`; `UPKEEP_READINESS`, separated by commas.
   * @default none
   */
  readonly readiness?: readonly string[] | undefined
  /** The times of a graceful shutdown, which `UPKEEP_SHUTDOWN=graceful` enables. */
  readonly shutdown?: ShutdownTimes | undefined
  /** Further options of `createManagement`, such as indicators of health. They take precedence. */
  readonly management?: ManagementOptions | undefined
}

/** The times of a graceful shutdown. */
export interface ShutdownTimes {
  /** How long requests are served while readiness is 503; `UPKEEP_SHUTDOWN_DELAY`. @default '5s' */
  readonly delay?: Duration | undefined
  /** How long active requests may take after that; `UPKEEP_SHUTDOWN_TIMEOUT`. @default '10s' */
  readonly timeout?: Duration | undefined
}

/** What is observed of the application, and how. */
interface ObservationSettings {
  readonly logTraceIds: boolean
  /** Templates for requests of plain `node:http`. */
  readonly routes?: readonly string[]
  /** Whether requests are traced; `undefined` if telemetry decides. */
  readonly tracing: ManagementOptions['tracing']
}

/** How the management is served. */
export interface ServerSettings extends Partial<ConnectionLimits> {
  readonly tls?: TlsFiles
}

/** The settings of `upkeep/auto`. */
export interface Settings extends ObservationSettings {
  readonly port: number
  /**
   * `undefined` if the configured one, or `tls`, is invalid: then nothing is served, since the default is open to all.
   */
  readonly host: string | undefined
  /** Those that are configured. */
  readonly server: ServerSettings
  readonly token: string | undefined
  readonly expose: readonly EndpointId[]
  readonly conventions: 'micrometer' | 'opentelemetry'
  readonly group: string | undefined
  /** `undefined` for everything; none, if nothing is to be discovered. */
  readonly discover: readonly DiscoveredKind[] | undefined
  readonly readiness: readonly string[]
  readonly delay: Duration
  readonly timeout: Duration
  readonly management: ManagementOptions
}

/**
 * The endpoints that are served with a token: all that need nothing else of the application, except `shutdown`, which
 * ends it.
 */
const exposed: readonly EndpointId[] = [
  ...['health', 'info', 'metrics', 'prometheus', 'tracing', 'profile', 'pprof', 'env', 'httpexchanges', 'mappings'],
  ...['startup', 'threaddump', 'heapdump', 'console', 'why'],
]

/** Returns the settings with their defaults. With an invalid list of endpoints only `health` is served. */
export function completeSettings(options: AutoOptions, invalid: ReadonlySet<string>): Settings {
  const { token, shutdown = {}, management = {}, routes, auditFile: file } = options
  const { tls, maxConnections, maxConnectionsPerAddress } = options
  return {
    port: options.port ?? 8690,
    host: invalid.has('host') || invalid.has('tls') ? undefined : (options.host ?? '0.0.0.0'),
    server: {
      ...(tls && { tls }),
      ...(maxConnections && { maxConnections }),
      ...(maxConnectionsPerAddress && { maxConnectionsPerAddress }),
    },
    token,
    expose: token === undefined || invalid.has('expose') ? ['health'] : withHealth(options.expose ?? exposed),
    conventions: options.conventions ?? 'micrometer',
    group: options.group,
    discover: typeof options.discover === 'object' ? options.discover : options.discover === false ? [] : undefined,
    readiness: options.readiness ?? [],
    logTraceIds: options.logTraceIds ?? false,
    ...(routes && { routes }),
    tracing: management.tracing,
    delay: shutdown.delay ?? '5s',
    timeout: shutdown.timeout ?? '10s',
    management: file === undefined ? management : { audit: { file }, ...management },
  }
}

function withHealth(ids: readonly EndpointId[]): readonly EndpointId[] {
  return ['health', ...ids.filter((id) => id !== 'health')]
}
