import type { Report } from '../../base/report.ts'
import type { Authorize } from '../../http/authorize.ts'
import type { Availability } from '../../lifecycle/availability.ts'
import type { Loggers } from '../../logging/levels/loggers.ts'
import type { AccessOptions } from '../../management/access.ts'
import type { Endpoint, EndpointId } from '../../management/endpoints/endpoint.ts'
import type { HealthOptions } from '../../management/endpoints/health.ts'
import type { InfoContributor } from '../../management/info/contributor.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { type ConformanceRoute, otherwise, type RouteAnswer, routes } from './routes.ts'

/** The application of the adapter kit, to be built with the adapter's framework. */
export interface ConformanceApplication {
  /** Options for `createManagement`. */
  readonly options: ConformanceManagementOptions
  /** Path below which to mount `manage`; `''` for the root. */
  readonly prefix: string
  /** Whether a JSON body parser has to precede everything. */
  readonly bodyParser: boolean
  /** The routes: after `observe` and `manage`, and before or inside `handleErrors`. */
  readonly routes: readonly ConformanceRoute[]
  /** Handles requests that match no route: returns a response or throws. Not a route itself. */
  readonly otherwise: (path: string) => RouteAnswer
  /** The `report` option of `handleErrors`, called with each error answered with a 5xx. */
  readonly report: (error: unknown) => void
}

/** The options with which the application under test calls `createManagement`. */
export interface ConformanceManagementOptions {
  readonly application: { readonly name: string; readonly version: string }
  readonly endpoints?: readonly Endpoint[]
  readonly expose: readonly EndpointId[]
  readonly health: HealthOptions
  readonly info: { readonly build: false; readonly git: false; readonly contributors: readonly InfoContributor[] }
  readonly authorize: Authorize
  readonly access?: AccessOptions
  readonly metrics?: { readonly sources: readonly SnapshotSource[] }
  readonly loggers?: Loggers
  readonly tracing?: true
  readonly report?: Report
}

/** A listening application. */
export interface StartedApplication {
  /** Port on 127.0.0.1. */
  readonly port: number
  /** The result of `createManagement`. */
  readonly management: {
    readonly meters: MeterRegistry
    readonly availability: Availability
    close(): void
  }
  /** Stops the server. */
  readonly close: () => unknown
}

export const token = 'let-me-in'

/** A management with every feature, which accepts one bearer token. */
const defaultOptions: ConformanceManagementOptions = {
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: {
    indicators: {
      db: () => ({ status: 'UP', details: { database: 'PostgreSQL 17' } }),
      cache: { indicators: { near: () => 'UP', far: () => ({ status: 'UNKNOWN', details: { miles: 7 } }) } },
    },
    groups: { storage: { include: ['db', 'cache/far'], showDetails: 'always' } },
    showComponents: 'always',
    showDetails: 'when-authorized',
  },
  info: { build: false, git: false, contributors: [() => ({ team: { name: 'Éléonore ☂', size: 3 } })] },
  authorize: ({ headers }) => (headers['authorization'] === `Bearer ${token}` ? { name: 'operator' } : undefined),
}

export function createApplication(
  prefix: string,
  bodyParser: boolean,
  report: (error: unknown) => void,
  options: Partial<ConformanceManagementOptions> = {},
): ConformanceApplication {
  return { options: { ...defaultOptions, ...options }, prefix, bodyParser, routes, otherwise, report }
}
