import { systemClock } from '../clock.ts'
import { discoveryRoute } from '../endpoints/discovery.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { healthEndpoint } from '../endpoints/health.ts'
import { infoEndpoint } from '../endpoints/info.ts'
import { metricsEndpoint } from '../endpoints/metrics.ts'
import { prometheusEndpoint } from '../endpoints/prometheus.ts'
import { pathBelow, pathOf, segmentsOf } from '../http/conventions/target.ts'
import { exchange } from '../http/exchange.ts'
import type { ManagementRequest, ManagementResponse } from '../http/message.ts'
import { createRouter } from '../http/router.ts'
import { type Availability, createAvailability } from '../lifecycle/availability.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { createObservation, type Observation } from '../observation/observation.ts'
import { contain, reportToConsole } from '../report.ts'
import { infoContributors } from '../runtime/info-contributors.ts'
import type { Soon } from '../soon.ts'
import { accessTo, guardEndpoints, guardRoutes } from './access.ts'
import { checkOptions } from './check-options.ts'
import { createManagedHealth, type ManagementHealth } from './managed-health.ts'
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
  const router = createRouter(basePath === '/' ? routes : [...discovery, ...routes])

  const parts = { router, authorize, clock, report }
  const root = basePath === '/' ? '' : basePath
  /** What probes ask for all day is found by its whole target. */
  const paths = new Map([...router.literals.keys()].map((path) => [root + path, path]))

  const answer = (request: ManagementRequest): Soon<ManagementResponse> | undefined => {
    const path = paths.get(request.target) ?? pathBelow(basePath, pathOf(request.target))
    if (path === undefined) return undefined
    // At the root the rest of the application is a neighbour: what no endpoint answers is not management's to refuse.
    if (basePath === '/' && router(segmentsOf(path) ?? []) === undefined) return undefined
    return exchange(request, path, parts)
  }
  const close = (): void => {
    aggregator.close()
    stopMeasuring()
  }
  return Object.assign(answer, { availability: states.availability, health: managed, meters, observation, close })
}
