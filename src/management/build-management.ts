import { announce } from '../base/announce.ts'
import { systemClock } from '../base/clock.ts'
import { defineGetters, lazy } from '../base/lazy.ts'
import { contain, reportToConsole } from '../base/report.ts'
import { limitFailedLogins } from '../http/login-limit.ts'
import { conventions } from '../instrumentation/conventions/conventions.ts'
import { createPathRedaction } from '../instrumentation/http-server/path-redaction.ts'
import { createObservation } from '../instrumentation/observation.ts'
import { createAvailability } from '../lifecycle/availability.ts'
import { createShutdownRequests } from '../lifecycle/shutdown/shutdown-requests.ts'
import { takeStartupTimes } from '../lifecycle/startup-meters.ts'
import { countLogEvents } from '../logging/events/level-counters.ts'
import { createDiagnostics } from '../watch/diagnostics/diagnostics.ts'
import { startApplicationRules } from '../watch/recorder/application-rules.ts'
import type { Capture } from '../watch/recorder/capture.ts'
import { countCaptures } from '../watch/recorder/count-captures.ts'
import { digestSecret } from './access/secret.ts'
import { guardEndpoints } from './access.ts'
import { auditEndpoints } from './audit.ts'
import { createAuditLog } from './audit-log.ts'
import { createManagedCluster } from './cluster/managed-cluster.ts'
import { createShownMetrics } from './cluster/shown-metrics.ts'
import { countManagement } from './created-managements.ts'
import { createBuiltInEndpoints } from './endpoints/built-in-endpoints.ts'
import { isAudited } from './endpoints/endpoint.ts'
import { installManagementTracing } from './install-tracing.ts'
import { createManagedHealth } from './managed-health.ts'
import { createManagedMetrics } from './managed-metrics.ts'
import type { Management } from './management.ts'
import { createMappings } from './mappings/mappings.ts'
import { createMeasurement } from './measurement.ts'
import type { ManagementOptions } from './options.ts'
import { type EndpointServers, serveEndpoints } from './paths/serve-endpoints.ts'

/** Options of what is measured: with one of them, measuring begins at once. */
const measuresAtOnce = ['metrics', 'loggers', 'caches', 'ssl', 'scheduledTasks', 'recorder'] as const

/**
 * Builds a management from valid options.
 *
 * @throws TypeError or RangeError for paths and groups that name what does not exist.
 */
export function buildManagement(options: ManagementOptions): Management {
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
  const measurement = createMeasurement(() => createManagedMetrics(metrics, taken, clock, report, conventionName))
  const measure = () => measurement.start().meters
  const observation = createObservation({
    ...{ clock, report, isTraced, exemplars },
    measure: () => ({ meters: measure(), convention: conventions[conventionName] }),
    managementUri: managementRequests ? (target) => servers.uriOf(target) : undefined,
    isManagement: managementRequests ? undefined : (target) => servers.isManagement(target),
    redactPath: createPathRedaction(redactPath, report),
  })
  measurement.onStart((meters) => countLogEvents(meters, { isExpected: options.loggers !== undefined, report }))
  const states = createAvailability(report)
  const startup = metrics.runtime === false ? undefined : takeStartupTimes(states.availability)
  measurement.onStart((meters) => startup?.bind(meters))
  for (const part of [options.caches, options.ssl, options.scheduledTasks]) {
    measurement.onStart((meters) => part?.measure(meters))
  }
  const shutdowns = createShutdownRequests()
  const { cluster, levelChanges } = createManagedCluster(options, {
    ...{ shutDown: shutdowns.request, clock, report },
    changed: () => aggregator.detectChanges(),
  })
  const { aggregator, health: managed } = createManagedHealth(health, { states, measurement, clock, report, cluster })
  const captureListeners = new Set<(capture: Capture) => void>()
  const notifyOfCapture = (capture: Capture): void => {
    for (const listener of captureListeners) listener(capture)
  }
  const recorder = options.recorder && countCaptures(options.recorder, measure, notifyOfCapture)
  const diagnostics = createDiagnostics(report, { ...options, recorder })
  const closers: (() => void)[] = [diagnostics.close, countManagement()]
  const mappings = createMappings(expose.includes('mappings'), report)
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
    endTracing()
    startup?.stop()
    measurement.close()
  }

  let servers: EndpointServers
  try {
    if (recorder !== undefined)
      closers.push(startApplicationRules(recorder, { observation, diagnostics, clock, report }))
    if (measuresAtOnce.some((name) => options[name] !== undefined)) measurement.start()
    const guarded = guardEndpoints(
      [
        ...createBuiltInEndpoints(expose, {
          ...{ options, aggregator, measurement, observation, clock, report },
          shownMetrics: lazy(() => createShownMetrics(measurement.start(), cluster)),
          ...{ states, mappings, diagnostics, shutdowns, cluster, levelChanges },
          linksAt: (mountPath) => servers.linksAt(mountPath),
          onClose: (close) => closers.push(close),
          onCapture: (listener) => void captureListeners.add(listener),
        }),
        ...ownEndpoints.filter(({ id }) => expose.includes(id)),
      ],
      access,
    )
    const exposed = guarded.some(isAudited)
      ? auditEndpoints(guarded, createAuditLog(options.audit, { clock, measure, report }))
      : guarded
    servers = serveEndpoints(exposed, {
      ...{ basePath, paths, access, aggregator, clock, report },
      authorize: authorize && limitFailedLogins(authorize, clock, (secret) => digestSecret(secret).toString('base64')),
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
    ...{ application, paths, availability, health: managed, observation, report },
    ...{ diagnostics, mappings, endStreams, close, cluster },
    draining: draining.signal,
    onShutdownRequest: shutdowns.onShutdownRequest,
  }
  const probes = lazy((): Management => complete(servers.probes()))
  const complete = ({ respond, describeOperations }: EndpointServers['endpoints']): Management =>
    defineGetters(Object.assign(respond, { ...parts, describeOperations }), {
      probes,
      meters: measure,
      measurements: () => measurement.start().source,
    })
  const management = complete(servers.endpoints)
  announce('upkeep:management', () => ({ management, options, groups: aggregator.groups }))
  return management
}
