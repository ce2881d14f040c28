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

/** The application that an adapter is tried with; an author puts it together in the framework. */
export interface ConformanceApplication {
  /** What `createManagement` is to be given. */
  readonly options: ConformanceManagementOptions
  /** The path below which `manage` is to be mounted; `''` for the root. */
  readonly prefix: string
  /** Whether a parser of JSON bodies is to stand in front of everything. */
  readonly bodyParser: boolean
  /** The routes, behind `observe` and `manage`, and in front of `handleErrors` or inside of it. */
  readonly routes: readonly ConformanceRoute[]
  /** What answers, or throws, where no route does. It has no route of its own. */
  readonly otherwise: (path: string) => RouteAnswer
  /** To be told of each error that `handleErrors` answers with a 5xx. */
  readonly report: (error: unknown) => void
}

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

/** An application that listens. */
export interface StartedApplication {
  /** Where, on 127.0.0.1. */
  readonly port: number
  /** What `createManagement` made. */
  readonly management: {
    readonly meters: MeterRegistry
    readonly availability: Availability
    close(): void
  }
  /** Stops listening. */
  readonly close: () => unknown
}

export const token = 'let-me-in'

/** A management with something of everything, which knows the bearer of one token. */
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
