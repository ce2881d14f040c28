import { systemClock } from '../base/clock.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import type { ManagementRequest, ManagementResponse } from '../http/message.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import { createPathRedaction } from '../instrumentation/http-server/path-redaction.ts'
import { createObservation, type Observation } from '../instrumentation/observation.ts'
import { type Availability, createAvailability } from '../lifecycle/availability.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import { accessTo, guardEndpoints, guardRoutes } from './access.ts'
import { checkOptions } from './check-options.ts'
import { discoveryRoute } from './endpoints/discovery.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { healthEndpoint } from './endpoints/health.ts'
import { infoEndpoint } from './endpoints/info.ts'
import { loggersEndpoint } from './endpoints/loggers.ts'
import { metricsEndpoint } from './endpoints/metrics.ts'
import { prometheusEndpoint } from './endpoints/prometheus.ts'
import { infoContributors } from './info/info-contributors.ts'
import { installManagementTracing } from './install-tracing.ts'
import { createManagedHealth, type ManagementHealth } from './managed-health.ts'
import { type ManagementRoute, managementRoutes } from './management-routes.ts'
import { createMeasuring } from './measuring.ts'
import type { ManagementOptions } from './options.ts'

/**
 * An application's management. Called with a request it answers it, or says by `undefined` that the request is not for
 * it and has to be passed on. The answer is there at once where nothing has to be waited for; it never rejects.
 */
export interface Management {
  (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined
  /** What the application says of its own availability, and probes are told. */
  readonly availability: Availability
  /** How the application is, for its own use. */
  readonly health: ManagementHealth
  /** What the application is called, as it was said. */
  readonly application: ManagementOptions['application']
  /** The application's meters. */
  readonly meters: MeterRegistry
  /** The application's meters and those of `metrics.sources`: all that can be read, and exported. */
  readonly measurements: SnapshotSource
  /** What adapters have the application's requests observed by. */
  readonly observation: Observation
  /** What is exposed, for a description of the service. */
  readonly routes: readonly ManagementRoute[]
  /** Reports as `ManagementOptions.report` does; never throws. What takes a management and has a `report` of its own uses this by default. */
  readonly report: Report
  /** Ends what measures the process, all instruments and all timers. For tests, and for an application that goes on without it. */
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
    observation: { managementRequests = false, redactPath } = {},
    loggers,
    authorize,
    clock = systemClock,
  } = options
  const report = contain(options.report ?? loggers?.report ?? reportToConsole)

  const { isTraced, exemplars, close: endTracing } = installManagementTracing(options.tracing, clock)
  const taken = isTraced ? exemplars : undefined
  const { meters, source, scraper, close: endMeasuring } = createMeasuring(metrics, taken, clock, report)
  const managementUri = managementRequests ? `${basePath === '/' ? '' : basePath}/**` : undefined
  const managementPath = managementRequests || basePath === '/' ? undefined : basePath
  const observation = createObservation({
    ...{ meters, clock, report, managementUri, managementPath, isTraced, exemplars },
    redactPath: createPathRedaction(redactPath, report),
  })
  const states = createAvailability(report)
  const { aggregator, health: managed } = createManagedHealth(health, { states, meters, clock, report })
  const contributors = infoContributors(info, { clock, version: application?.version })

  const known: readonly Endpoint[] = [
    healthEndpoint(aggregator, health, clock),
    infoEndpoint(application === undefined ? contributors : [() => ({ application }), ...contributors], report, {
      changesByItself: info.process,
    }),
    metricsEndpoint(source),
    prometheusEndpoint(scraper, metrics),
    ...(loggers === undefined ? [] : [loggersEndpoint(loggers)]),
  ]
  const exposed = known.filter(({ id }) => expose.includes(id))
  const endpoints = guardEndpoints(exposed, access)
  const discovery = guardRoutes([discoveryRoute(basePath, endpoints)], accessTo(access, '*'))
  const routes = endpoints.flatMap((endpoint) => endpoint.routes)
  const served = basePath === '/' ? routes : [...discovery, ...routes]
  const answer = serveRoutes(served, { basePath, authorize, clock, report, refuseCrossSite: true })
  const close = (): void => {
    aggregator.close()
    observation.close()
    endTracing()
    endMeasuring()
  }
  const { availability } = states
  const shown = { application, availability, health: managed, meters, measurements: source, observation, report }
  const addresses = managementRoutes(endpoints, basePath, {
    isPageAuthorized: accessTo(access, '*') !== 'public',
    authorize,
  })
  return Object.assign(answer, { ...shown, routes: addresses, close })
}
