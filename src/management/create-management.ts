import { announce } from '../base/announce.ts'
import { systemClock } from '../base/clock.ts'
import { defineGetter, lazy } from '../base/lazy.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import type { ClusterHost } from '../cluster/cluster-host.ts'
import type { ManagementRequest, ManagementResponse } from '../http/message.ts'
import { conventions } from '../instrumentation/conventions/conventions.ts'
import { createPathRedaction } from '../instrumentation/http-server/path-redaction.ts'
import { createObservation, type Observation } from '../instrumentation/observation.ts'
import { type Availability, createAvailability } from '../lifecycle/availability.ts'
import { bindStartupMeters } from '../lifecycle/startup-meters.ts'
import { countLogEvents } from '../logging/events/level-counters.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { DescribedOperation } from '../rest/openapi/operation.ts'
import { createDiagnostics, type DiagnosticThread } from '../watch/diagnostics/diagnostics.ts'
import { startApplicationRules } from '../watch/recorder/application-rules.ts'
import { countCaptures } from '../watch/recorder/count-captures.ts'
import { guardEndpoints } from './access.ts'
import { auditEndpoints } from './audit.ts'
import { createAuditLog } from './audit-log.ts'
import { checkOptions } from './check-options.ts'
import { createManagedCluster } from './cluster/managed-cluster.ts'
import { createShownMetrics } from './cluster/shown-metrics.ts'
import { countManagement } from './created-managements.ts'
import { createBuiltInEndpoints } from './endpoints/built-in-endpoints.ts'
import { createShutdownRequests } from './endpoints/shutdown.ts'
import { installManagementTracing } from './install-tracing.ts'
import { createManagedHealth, type ManagementHealth } from './managed-health.ts'
import { createManagedMetrics } from './managed-metrics.ts'
import { createMappings, type Mappings } from './mappings/mappings.ts'
import type { ManagementOptions } from './options.ts'
import { type EndpointServers, serveEndpoints } from './paths/serve-endpoints.ts'

/**
 * The management of an application. Called with a request, it returns the response, or `undefined` if the request is
 * not for it and has to be passed on. The response is returned synchronously where nothing has to be waited for; a
 * promise never rejects.
 */
export interface Management {
  /** Returns the response, or `undefined` if the request is not for an endpoint. */
  (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined
  /** Liveness and readiness, which the application sets and probes report. */
  readonly availability: Availability
  /** The health of the application, for its own use. */
  readonly health: ManagementHealth
  /** The option `application`. */
  readonly application: ManagementOptions['application']
  /** The option `paths`. */
  readonly paths: Readonly<Record<string, string>>
  /**
   * The same management, which responds to probes only. For the port of the application, if the endpoints have a port
   * of their own. The probes are `/livez` and `/readyz`, or where `paths` places `health/liveness` and
   * `health/readiness` at the root of the server, and all other paths of health there.
   *
   * @throws TypeError if `health` is not exposed.
   */
  readonly probes: Management
  /** The meters of the application. */
  readonly meters: MeterRegistry
  /** The meters of the application and those of `metrics.sources`; in a cluster, those of this member. */
  readonly measurements: SnapshotSource
  /** Observes the requests of the application. For adapters. */
  readonly observation: Observation
  /** The routes of the application, which the endpoint `mappings` shows. For adapters. */
  readonly mappings: Mappings
  /**
   * Calls `ManagementOptions.report`, and never throws. The default of functions that take a management and have a
   * `report`.
   */
  readonly report: Report
  /** The thread of profiles and dumps, which `watchdog` provides; without one, it starts with the first request. */
  readonly diagnostics: DiagnosticThread
  /** Where `joinCluster` of `upkeep/cluster` attaches what the endpoints show of a cluster. */
  readonly cluster: ClusterHost
  /** Returns the operations of the exposed endpoints, for an OpenAPI description. */
  describeOperations(): readonly DescribedOperation[]
  /** Aborts when the drain of a shutdown begins, and by `close()`. For what ends with the service. */
  readonly draining: AbortSignal
  /** Ends endless responses, and those that begin later. Called by `shutdownGracefully` when the drain begins. */
  endStreams(): void
  /**
   * Registers a function that the endpoint `shutdown` calls with a reason. Returns a function that removes it. Called
   * by `shutdownGracefully`.
   */
  onShutdownRequest(start: (reason: string) => unknown): () => void
  /**
   * Stops the meters of the process, all instrumentations and timers, and ends endless responses. For tests, and for an
   * application that continues without management.
   */
  close(): void
}

/**
 * Creates the management of an application: health, probes, info and metrics, ready to be served by an adapter.
 *
 * @throws TypeError naming each invalid option; RangeError naming an unknown member of a health group.
 */
export function createManagement(options: ManagementOptions = {}): Management {
  checkOptions(options)
  const {
    application,
    basePath = '/management',
    paths = {},
    conventions: conventionName = 'micrometer',
    endpoints: ownEndpoints = [],
    expose = ['health'],
    access = {},
    health = {},
    metrics = {},
    observation: { managementRequests = false, redactPath } = {},
    authorize,
    clock = systemClock,
  } = options
  const report = contain(options.report ?? options.loggers?.report ?? reportToConsole)

  const { isTraced, exemplars, close: endTracing } = installManagementTracing(options.tracing, clock)
  const taken = isTraced ? exemplars : undefined
  const measured = createManagedMetrics(metrics, taken, clock, report, conventionName)
  const { meters, source } = measured
  const observation = createObservation({
    ...{ meters, clock, report, isTraced, exemplars },
    managementUri: managementRequests ? (target) => servers.uriOf(target) : undefined,
    isManagement: managementRequests ? undefined : (target) => servers.isManagement(target),
    convention: conventions[conventionName],
    redactPath: createPathRedaction(redactPath, report),
  })
  const endCounting = countLogEvents(meters, { isExpected: options.loggers !== undefined, report })
  const states = createAvailability(report)
  const endStartup = metrics.runtime === false ? () => {} : bindStartupMeters(meters, states.availability)
  const endParts = [options.caches, options.ssl, options.scheduledTasks].map((each) => each?.measure(meters))
  const shutdowns = createShutdownRequests()
  const { cluster, levelChanges } = createManagedCluster(options, {
    ...{ shutDown: shutdowns.request, clock, report },
    changed: () => aggregator.detectChanges(),
  })
  const { aggregator, health: managed } = createManagedHealth(health, { states, meters, clock, report, cluster })
  const recorder = options.recorder && countCaptures(options.recorder, meters)
  const diagnostics = createDiagnostics(report, { ...options, recorder })
  const closers: (() => void)[] = [diagnostics.close, countManagement()]
  if (recorder !== undefined) closers.push(startApplicationRules(recorder, { observation, diagnostics, clock, report }))
  const mappings = createMappings(expose.includes('mappings'), report)

  const guarded = guardEndpoints(
    [
      ...createBuiltInEndpoints(expose, {
        ...{ options, aggregator, meters, observation, clock, report },
        shownMetrics: createShownMetrics(source, measured.createScraper, cluster),
        ...{ states, mappings, diagnostics, shutdowns, cluster, levelChanges },
        onClose: (close) => closers.push(close),
      }),
      ...ownEndpoints.filter(({ id }) => expose.includes(id)),
    ],
    access,
  )
  const exposed = auditEndpoints(guarded, createAuditLog(options.audit, { clock, meters, report }))
  const draining = new AbortController()
  const endStreams = () => draining.abort()
  const close = (): void => {
    endStreams()
    cluster.view?.leave?.()
    levelChanges?.close()
    for (const closeEndpoint of closers) closeEndpoint()
    mappings.clear()
    aggregator.close()
    observation.close()
    endCounting()
    endTracing()
    endStartup()
    for (const endPart of endParts) endPart?.()
    measured.close()
  }

  let servers: EndpointServers
  try {
    servers = serveEndpoints(exposed, {
      ...{ basePath, paths, access, aggregator, authorize, clock, report },
      refuseCrossSite: true,
      cors: options.cors,
      draining: draining.signal,
    })
  } catch (error) {
    close()
    throw error
  }
  const { availability } = states
  const parts = {
    ...{ application, paths, availability, health: managed, meters, measurements: source, observation, report },
    ...{ diagnostics, mappings, endStreams, close, cluster },
    draining: draining.signal,
    onShutdownRequest: shutdowns.onShutdownRequest,
  }
  const probes = lazy((): Management => complete(servers.probes()))
  const complete = ({ respond, describeOperations }: EndpointServers['endpoints']): Management =>
    defineGetter(Object.assign(respond, { ...parts, describeOperations }), 'probes', probes)
  const management = complete(servers.endpoints)
  announce('upkeep:management', () => ({ management, options, groups: aggregator.groups }))
  return management
}
