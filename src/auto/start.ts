import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import type { Cluster } from '../entries/cluster.ts'
import type { Management } from '../entries/index.ts'
import { type ClientDiscovery, discoverClients } from '../health/discovery/discovery.ts'
import type { PlannedStep } from '../lifecycle/shutdown/shutdown-plan.ts'
import { onManagementCreated, openManagements } from '../management/created-managements.ts'
import type { ObservedApplication, observeApplication } from './application/observe-application.ts'
import { type ApplicationPackage, findApplication } from './application-package.ts'
import type { EarlyClients } from './early-clients.ts'
import type { exportTelemetry } from './export-telemetry.ts'
import { exportedSignals, type Signal } from './exported-signals.ts'
import { followServers, whenLoaded } from './follow-servers.ts'
import type { joinGroup } from './join-group.ts'
import { ownGroup } from './own-group.ts'
import { createOwnManagement } from './own-management.ts'
import type { ListenOptions, Preparation, Waking } from './preparation.ts'
import { type ManagementServer, serveManagement } from './serve-management.ts'
import type { Settings } from './settings/auto-options.ts'
import { readSettings } from './settings/read-settings.ts'
import { shutDownGracefully, stopWorkersGracefully } from './shut-down.ts'
import { describeStart } from './start-line.ts'

/**
 * Starts the management of an application that does not know of it. Called once per process, when that wakes. Never
 * throws.
 */
export function start(preparation: Preparation, waking: Waking): void {
  const report: Report = /^\s*(?:true|1)\s*$/i.test(process.env['UPKEEP_QUIET'] ?? '') ? () => {} : reportToStderr
  try {
    if (openManagements() === 0) {
      startManagement(preparation, waking, report)
    } else {
      preparation.traps.remove()
      preparation.clients?.stop()
      report('auto: does nothing, because the application has a management of its own')
    }
  } catch (error) {
    report('auto: the management cannot be started', error)
  }
}

/**
 * Writes one line to stderr. Not by `process.stderr` or `console`, which the application may have replaced, and whose
 * streams emit errors.
 */
const reportToStderr: Report = (message, cause) => {
  const reason = cause === undefined ? '' : `: ${describeError(cause)}`
  try {
    writeSync(2, `upkeep: ${message}${reason}\n`)
  } catch {
    // A pipe that is full or closed.
  }
}

/** Creates the management of an application, observes the application, and serves and exports what is known. */
function startManagement(
  { traps, clients, signals }: Preparation,
  { cause, server, options }: Waking,
  report: Report,
): void {
  const application = findApplication(process)
  const directories = [process.cwd(), ...(application.directory === undefined ? [] : [application.directory])]
  const read = readSettings({ environment: process.env, directories, report })
  const isPrimary = cause === 'primary'
  const discovery = isPrimary ? undefined : discover(clients, read)
  clients?.stop()
  const { management, settings } = createOwnManagement(read, application, discovery, report)
  const group = ownGroup(settings.group, application, isPrimary)
  const cluster = group && loadFile('auto-cluster').joinGroup(management, group, report)
  const exported = exportedSignals(process.env)
  const isExported = exported.length > 0
  const flush = [
    ...(isExported ? [exportUntilEnd(management, exported, report)] : []),
    // A signal ends the process without the event `exit`.
    ...(cluster === undefined ? [] : [{ name: 'cluster', run: cluster.leave, timeoutMilliseconds: 1_000 }]),
  ]

  const { expose = settings.expose } = settings.management
  const isShown = expose.some((id) => id !== 'health')
  const isMeasured = !isPrimary && (isExported || settings.logTraceIds || isShown)
  let observed: ObservedApplication | undefined
  const observe = (): void => {
    observed ??= loadFile('auto-observe').observeApplication({ management, traps, settings, report })
  }
  if (!isMeasured) traps.remove()
  else if (cause === 'server') observe()
  else whenLoaded(observe)

  const describe = () => describeStart({ settings, application, observed, isExported })
  const served = isPrimary
    ? undefined
    : serve(management, { settings, application, cluster, options, describe, report })
  if (signals !== undefined) {
    const parts = { management, flush, report }
    if (isPrimary) stopWorkersGracefully(signals, settings, parts)
    else followServers(server, shutDownGracefully(signals, settings, parts))
  }

  const endWatching = onManagementCreated(() => {
    endWatching()
    served?.close()
    discovery?.close()
    management.close()
    report('auto: stops, because the application has a management of its own')
  })
}

/** Finds the clients that the application creates, and those that it has created before. */
function discover(clients: EarlyClients | undefined, { discover: kinds }: Settings): ClientDiscovery | undefined {
  if (clients === undefined || kinds?.length === 0) return undefined
  const discovery = discoverClients({ kinds })
  clients.passTo(discovery.add)
  return discovery
}

/** Exports telemetry. Returns the step of a shutdown that sends what is left. */
function exportUntilEnd(management: Management, signals: readonly Signal[], report: Report): PlannedStep {
  const telemetry = loadFile('auto-otlp').exportTelemetry(management, signals)
  telemetry.catch((error: unknown) => report('telemetry is not exported', error))
  return {
    name: 'telemetry',
    run: async (signal) => (await telemetry.catch(() => undefined))?.run(signal),
    timeoutMilliseconds: 6_000,
  }
}

interface Served {
  readonly settings: Settings
  readonly application: ApplicationPackage
  readonly cluster: Cluster | undefined
  /** Where the first server of the application is about to listen. */
  readonly options: ListenOptions | undefined
  /** Returns the line that is written when the management is served. */
  readonly describe: () => string
  readonly report: Report
}

function serve(
  management: Management,
  { settings: { host, port, server }, application, cluster, options, describe, report }: Served,
): ManagementServer | undefined {
  if (host === undefined) return undefined
  return serveManagement(management, { host, port, ...server }, options, {
    listening: () => report(describe()),
    refused: async (error) => {
      if (isTlsError(error)) {
        report('health is not served', error)
        return false
      }
      const isShared = await hasOtherMembers(cluster)
      if (isShared) report(`health is served by another process of ${application.name} at port ${port}`)
      else report(`health is not served, because UPKEEP_PORT=${port} is not available`, error)
      return isShared
    },
    claimed: () => report(`health is not served, because the application listens at UPKEEP_PORT=${port} itself`),
    failed: (error) => report('the server of health failed', error),
  })
}

/** Whether the files of a certificate are incomplete or cannot be read, and not the port. */
function isTlsError(error: unknown): boolean {
  return error instanceof TypeError && error.message.startsWith('listen: tls')
}

async function hasOtherMembers(cluster: Cluster | undefined): Promise<boolean> {
  await cluster?.measurements.refresh?.()
  return cluster?.members().some(({ isAlive, identity }) => isAlive && identity.slot !== cluster.slot) === true
}

/** The files of the package that not every process needs, each with its module as the bundle exports it. */
interface Files {
  readonly 'auto-cluster': { readonly joinGroup: typeof joinGroup }
  readonly 'auto-observe': { readonly observeApplication: typeof observeApplication }
  readonly 'auto-otlp': { readonly exportTelemetry: typeof exportTelemetry }
}

/**
 * Loads a file beside this one when the process needs it: synchronously, because the first request may come before an
 * `import()` is done.
 */
function loadFile<Name extends keyof Files>(name: Name): Files[Name] {
  return createRequire(import.meta.url)(`./${name}.cjs`)
}
