import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { Report } from '../../base/report.ts'
import type { AttachedCluster } from '../../cluster/cluster-host.ts'
import { type Console, startConsole } from '../../console/console.ts'
import type { Aggregator } from '../../health/aggregator.ts'
import type { OwnObservation } from '../../instrumentation/observation.ts'
import type { AvailabilityStates } from '../../lifecycle/availability.ts'
import type { ShutdownRequests } from '../../lifecycle/shutdown/shutdown-requests.ts'
import { recordStartup } from '../../lifecycle/startup-timeline.ts'
import type { LevelChanges } from '../../logging/levels/level-changes.ts'
import type { Diagnostics } from '../../watch/diagnostics/diagnostics.ts'
import type { Capture } from '../../watch/recorder/capture.ts'
import type { SelectSource } from '../cluster/shown-metrics.ts'
import { infoContributors } from '../info/info-contributors.ts'
import type { ReadableMappings } from '../mappings/mappings.ts'
import type { Measurement } from '../measurement.ts'
import type { ManagementOptions } from '../options.ts'
import { cachesEndpoint } from './caches.ts'
import { capturesEndpoint } from './captures.ts'
import { consoleEndpoint } from './console.ts'
import { type BuiltInId, builtInIds, type Endpoint, isGuarded } from './endpoint.ts'
import { envEndpoint } from './env.ts'
import { healthEndpoint } from './health.ts'
import { heapdumpEndpoint } from './heapdump.ts'
import { httpExchangesEndpoint } from './http-exchanges.ts'
import { infoEndpoint } from './info.ts'
import { logFileEndpoint } from './log-file.ts'
import { loggersEndpoint } from './loggers.ts'
import { mappingsEndpoint } from './mappings.ts'
import { metricsEndpoint } from './metrics.ts'
import { pprofEndpoint } from './pprof.ts'
import { profileEndpoint } from './profile.ts'
import { prometheusEndpoint } from './prometheus.ts'
import { sbomEndpoint } from './sbom.ts'
import { scheduledTasksEndpoint } from './scheduled-tasks.ts'
import { shutdownEndpoint } from './shutdown.ts'
import { startupEndpoint } from './startup.ts'
import { threaddumpEndpoint } from './threaddump.ts'
import { tracingEndpoint } from './tracing.ts'
import { whyEndpoint } from './why.ts'

/** What the built-in endpoints show: the parts of a management. */
interface EndpointContext {
  readonly options: ManagementOptions
  readonly aggregator: Aggregator
  readonly measurement: Pick<Measurement, 'start'>
  /** Selects what `metrics` and `prometheus` show. Called if one of them is exposed. */
  readonly shownMetrics: () => SelectSource
  readonly diagnostics: Diagnostics
  readonly observation: OwnObservation
  readonly mappings: ReadableMappings
  readonly clock: Clock
  readonly report: Report
  readonly shutdowns: ShutdownRequests
  /** `undefined` without the option `loggers`. */
  readonly levelChanges: LevelChanges | undefined
  readonly cluster: AttachedCluster
  readonly states: AvailabilityStates
  /** Returns the paths of the exposed resources by the mount path of the adapter. */
  readonly linksAt: (mountPath: string) => Readonly<Record<string, string>>
  /** Registers a function that is called when the management is closed. */
  readonly onClose: (close: () => void) => void
  /** Calls a function with each capture of the flight recorder, until the management is closed. */
  readonly onCapture: (listener: (capture: Capture) => void) => void
}

interface CreatorContext extends EndpointContext {
  /** Returns the histories that `console` and `why` share. */
  readonly shown: () => Console
}

/** How each built-in endpoint is created; called only for those that are exposed. */
const creators: Readonly<Record<BuiltInId, (context: CreatorContext) => Endpoint | undefined>> = {
  health: ({ aggregator, options: { health = {} }, clock, states: { isShuttingDown } }) =>
    healthEndpoint(aggregator, health, { clock, isShuttingDown }),
  info: ({ options: { application, info = {}, ssl }, clock, measurement, report }) => {
    const meters = info.process === true ? measurement.start().meters : undefined
    const contributors = infoContributors(info, { clock, version: application?.version, meters, bundles: ssl })
    const all = application === undefined ? contributors : [() => ({ application }), ...contributors]
    return infoEndpoint(all, report, { changesByItself: info.process || info.container })
  },
  metrics: ({ shownMetrics }) => metricsEndpoint(shownMetrics()),
  prometheus: ({ shownMetrics, options: { metrics = {} } }) => prometheusEndpoint(shownMetrics(), metrics),
  tracing: ({ clock }) => tracingEndpoint(clock),
  profile: ({ diagnostics, options: { profile } }) => profileEndpoint(diagnostics.run, profile),
  pprof: ({ diagnostics, options: { profile } }) => pprofEndpoint(diagnostics.run, profile),
  env: ({ options: { env = {} }, report }) => envEndpoint(env, report),
  mappings: ({ mappings, options: { application } }) => mappingsEndpoint(mappings, application?.name),
  logfile: ({ options: { logFile } }) => (logFile === undefined ? undefined : logFileEndpoint(logFile)),
  httpexchanges: ({ options: { httpExchanges = {} }, measurement, ...context }) =>
    httpExchangesEndpoint(httpExchanges, { ...context, meters: measurement.start().meters }),
  loggers: ({ options: { loggers }, levelChanges, cluster, clock }) =>
    loggers && levelChanges && loggersEndpoint(loggers, levelChanges, cluster, clock),
  caches: ({ options: { caches } }) => caches && cachesEndpoint(caches),
  scheduledtasks: ({ options: { scheduledTasks } }) => scheduledTasks && scheduledTasksEndpoint(scheduledTasks),
  sbom: ({ options: { sbom } }) => sbom && sbomEndpoint(sbom),
  shutdown: ({ shutdowns, cluster }) => shutdownEndpoint(shutdowns, cluster),
  startup: ({ states, clock, onClose }) => {
    const recorder = recordStartup(states, clock)
    onClose(recorder.close)
    return startupEndpoint(recorder)
  },
  threaddump: ({ diagnostics, clock }) => threaddumpEndpoint(diagnostics.run, clock),
  heapdump: (context) => heapdumpEndpoint(context, context.options.heapdump),
  captures: ({ diagnostics, options: { recorder } }) => recorder && capturesEndpoint(diagnostics.run),
  console: ({ options: { console = {} }, shown, measurement, ...context }) =>
    consoleEndpoint({ ...context, options: console, shown: shown(), source: () => measurement.start().source }),
  why: ({ shown, linksAt }) => whyEndpoint({ shown: shown(), linksAt }),
}

/** Starts the histories that `console` and `why` show. */
function startHistories({ onClose, options, measurement, ...context }: EndpointContext): Console {
  const { console = {}, application, health = {}, info } = options
  const shown = startConsole({
    ...{
      options: console,
      application,
      showsDetails: health.showDetails !== 'never',
      showsCommit: info?.git !== false,
    },
    ...{ ...context, source: () => measurement.start().source },
  })
  onClose(shown.close)
  return shown
}

/** Returns the built-in endpoints that `expose` lists. */
export function createBuiltInEndpoints(expose: readonly string[], context: EndpointContext): readonly Endpoint[] {
  const shown = lazy(() => startHistories(context))
  return builtInIds.flatMap((id) => {
    const endpoint = expose.includes(id) ? creators[id]({ ...context, shown }) : undefined
    if (endpoint === undefined) return []
    return isGuarded(id) ? refuseCrossSiteReads(endpoint) : endpoint
  })
}

/** Pages of other origins cannot read the responses, but dumps and profiles cost time. */
function refuseCrossSiteReads(endpoint: Endpoint): Endpoint {
  const routes = endpoint.routes.map(({ path, resource }) => ({
    path,
    resource: endpoint.publicPaths?.includes(path) ? resource : { ...resource, refusesCrossSiteReads: true },
  }))
  return { ...endpoint, routes }
}
