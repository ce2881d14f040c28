import { systemClock } from '../clock.ts'
import { discoveryRoute } from '../endpoints/discovery.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { healthEndpoint } from '../endpoints/health.ts'
import { infoEndpoint } from '../endpoints/info.ts'
import { loggersEndpoint } from '../endpoints/loggers.ts'
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
import { checkOptions } from './check-options.ts'
import { installManagementTracing } from './install-tracing.ts'
import { createMeasuring } from './measuring.ts'
import type { ManagementOptions } from './options.ts'

/**
 * An application's management. Called with a request it answers it, or says by `undefined` that the request is not for
 * it and has to be passed on. The answer never rejects.
 */
export interface Management {
  (request: ManagementRequest): Promise<ManagementResponse> | undefined
  /** What the application says of its own availability, and probes are told. */
  readonly availability: Availability
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
    health = {},
    info = {},
    metrics = {},
    observation: { managementRequests = false } = {},
    loggers,
    authorize,
    clock = systemClock,
  } = options
  const report = contain(options.report ?? reportToConsole)

  const { isTraced, isOn, exemplars, close: endTracing } = installManagementTracing(options.tracing)
  const measured = isOn && metrics.exemplar === undefined ? { ...metrics, exemplar: exemplars.source } : metrics
  const { meters, source, scraper, close: endMeasuring } = createMeasuring(measured, clock, report)
  const managementUri = managementRequests ? `${basePath === '/' ? '' : basePath}/**` : undefined
  const managementPath = managementRequests || basePath === '/' ? undefined : basePath
  const observation = createObservation({ meters, clock, report, managementUri, managementPath, isTraced, exemplars })
  const { availability, livenessState, readinessState } = createAvailability(report)
  const indicators = { ...health.indicators, livenessState, readinessState }
  const contributors = infoContributors(info, clock)

  const endpoints: readonly Endpoint[] = [
    healthEndpoint({ ...health, indicators }, clock),
    infoEndpoint(application === undefined ? contributors : [() => ({ application }), ...contributors], report),
    metricsEndpoint(source),
    prometheusEndpoint(scraper),
    ...(loggers === undefined ? [] : [loggersEndpoint(loggers)]),
  ].filter(({ id }) => expose.some((exposed) => exposed === id))

  const routes = endpoints.flatMap((endpoint) => endpoint.routes)
  const router = createRouter(basePath === '/' ? routes : [discoveryRoute(basePath, endpoints), ...routes])

  const answer = (request: ManagementRequest): Promise<ManagementResponse> | undefined => {
    const path = pathBelow(basePath, pathOf(request.target))
    if (path === undefined) return undefined
    // At the root the rest of the application is a neighbour: what no endpoint answers is not management's to refuse.
    if (basePath === '/' && router(segmentsOf(path) ?? []) === undefined) return undefined
    return exchange(request, path, { router, authorize, clock, report })
  }
  const close = () => {
    endTracing()
    endMeasuring()
  }
  return Object.assign(answer, { availability, meters, observation, close })
}
