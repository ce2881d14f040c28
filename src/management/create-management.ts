import { systemClock } from '../clock.ts'
import { discoveryRoute } from '../endpoints/discovery.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { healthEndpoint } from '../endpoints/health.ts'
import { infoEndpoint } from '../endpoints/info.ts'
import { metricsEndpoint } from '../endpoints/metrics.ts'
import { prometheusEndpoint } from '../endpoints/prometheus.ts'
import type { ManagementRequest, ManagementResponse } from '../http/message.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import { type Availability, createAvailability } from '../lifecycle/availability.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { createObservation, type Observation } from '../observation/observation.ts'
import { contain, reportToConsole } from '../report.ts'
import { infoContributors } from '../runtime/info-contributors.ts'
import type { Soon } from '../soon.ts'
import { accessTo, guardEndpoints, guardRoutes } from './access.ts'
import { checkOptions } from './check-options.ts'
import { createManagedHealth, type ManagementHealth } from './managed-health.ts'
import { type ManagementRoute, managementRoutes } from './management-routes.ts'
import { createMeasuring } from './measuring.ts'
import type { ManagementOptions } from './options.ts'

/**
 * An application's management. Called with a request it answers it, or says by `undefined` that the request is not for
 * it and has to be passed on. The answer is there at once where nothing has to be waited for; it never rejects.
 */
export interface Management {
  (request: ManagementRequest): Soon<ManagementResponse> | undefined
  /** What the application says of its own availability, and probes are told. */
  readonly availability: Availability
  /** How the application is, for its own use. */
  readonly health: ManagementHealth
  /** The application's meters. */
  readonly meters: MeterRegistry
  /** What adapters have the application's requests observed by. */
  readonly observation: Observation
  /** What is exposed, for a description of the service. */
  readonly routes: readonly ManagementRoute[]
  /** Ends what measures the process, and all timers. For tests, and for an application that goes on without it. */
  close(): void
}

/**
 * Creates the management of an application: its health, probes, info and metrics, ready to be served by an adapter.
 *
 * @throws TypeError naming the option that is not what it may be; RangeError naming an unknown member of a health group.
 */
export function createManagement(options: ManagementOptions = {}): Management {
  checkOptions(options)
  const {
    application,
    basePath = '/management',
    expose = ['health'],
    access = {},
    health = {},
    info = {},
    metrics = {},
    observation: { managementRequests = false } = {},
    authorize,
    clock = systemClock,
  } = options
  const report = contain(options.report ?? reportToConsole)

  const { meters, source, scraper, close: stopMeasuring } = createMeasuring(metrics, clock, report)
  const managementUri = managementRequests ? `${basePath === '/' ? '' : basePath}/**` : undefined
  const observation = createObservation({ meters, clock, report, managementUri })
  const states = createAvailability(report)
  const { aggregator, health: managed } = createManagedHealth(health, { states, meters, clock, report })
  const contributors = infoContributors(info, clock)

  const known: readonly Endpoint[] = [
    healthEndpoint(aggregator, health, clock),
    infoEndpoint(application === undefined ? contributors : [() => ({ application }), ...contributors], report),
    metricsEndpoint(source),
    prometheusEndpoint(scraper),
  ]
  const exposed = known.filter(({ id }) => expose.includes(id))
  const endpoints = guardEndpoints(exposed, access)
  const discovery = guardRoutes([discoveryRoute(basePath, endpoints)], accessTo(access, '*'))
  const routes = endpoints.flatMap((endpoint) => endpoint.routes)
  const served = basePath === '/' ? routes : [...discovery, ...routes]
  const answer = serveRoutes(served, { basePath, authorize, clock, report })
  const close = (): void => {
    aggregator.close()
    stopMeasuring()
  }
  return Object.assign(answer, {
    availability: states.availability,
    health: managed,
    meters,
    observation,
    routes: managementRoutes(endpoints, basePath, accessTo(access, '*') !== 'public'),
    close,
  })
}
