import { readFileSync } from 'node:fs'
import { systemClock } from '../base/clock.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import { uuidV4 } from '../ids/uuid/uuid-v4.ts'
import { withoutLogSinks } from '../logging/events/sinks.ts'
import { createTracing } from '../tracing/create-tracing.ts'
import { installTracing } from '../tracing/current-tracing.ts'
import { HeldRequests } from '../tracing/held/held-requests.ts'
import { hasOpenTelemetry } from '../tracing/open-telemetry.ts'
import { createExportMeters, createHeldMeters, type Signal } from './delivery/export-meters.ts'
import { createLossReport, type LossReport } from './delivery/loss-report.ts'
import type { Exporters, Exporting, QueuedExport, SignalExport } from './exporters.ts'
import { claimReceiver, createClusterExport } from './metrics/single-writer.ts'
import { loadOfficialExporters } from './official/official-exporters.ts'
import { ownExporters, prepareLogs } from './own-exporters.ts'
import { shownUrl } from './settings/receiver-url.ts'
import { resolveSettings, type TelemetrySettings } from './settings/settings.ts'
import type { ExportedCluster, ResourceAttributes, TelemetryOptions } from './settings/telemetry-options.ts'
import { boundedMilliseconds } from './settings/variables.ts'

/**
 * The export of an application's telemetry; also a flush hook: `shutdownGracefully(server, management, { flush:
 * [telemetry] })`.
 */
export interface Telemetry {
  readonly name: 'telemetry'
  /** Same as `shutdown`. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Timeout as a flush hook: slightly longer than `flushTimeout`. */
  readonly timeout: Duration
  /**
   * Exports current data. Resolves when it has arrived, has failed, or the timeout has passed. Never rejects, except
   * with a RangeError for a malformed duration. With `schedule: 'flush'`, nothing is sent after the timeout: counts,
   * spans and log records that have not arrived by then are sent by the next call. @default flushTimeout
   */
  flush(timeout?: Duration): Promise<void>
  /**
   * Exports current data, stops the export and releases the process. Data that has not arrived when `flushTimeout` has
   * passed or `signal` is aborted is dropped, counted and reported. Never rejects.
   */
  shutdown(signal?: AbortSignal): Promise<void>
}

/**
 * Exports metrics, traces and log records of an application to OTLP receivers. Failures of a receiver never affect the
 * application; they are counted in the meters `otlp.*` and reported at most once a minute.
 *
 * If the application has registered its own tracer provider, traces are left to it.
 *
 * Rejects with a TypeError for invalid options and variables, and with an Error for metrics that are already exported
 * to the same receiver, or, with `exporter: 'opentelemetry'`, for missing packages (with the command to install them).
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const resolved = resolveSettings(options, process.env, uuidV4)
  const { management, clock = systemClock, flushTimeout = '5s' } = options
  const report = contain(options.report ?? management.report ?? reportToConsole)
  const usesForeignSdk = resolved.tracing !== undefined && hasOpenTelemetry()
  const settings = usesForeignSdk ? { ...resolved, tracing: undefined } : resolved

  // Everything that can throw comes before the first side effect.
  const exporters = await loadExporters(options.exporter, settings)
  const sources = { clock, readFile: readFileSync }
  const tracing = settings.tracing && exporters.traces(settings.tracing, settings.resource, sources)
  const { cluster } = options
  const metrics =
    settings.metrics && exporters.metrics(settings.metrics, metricsResource(settings.resource, cluster), sources)
  const logs = settings.logs && prepareLogs(settings.logs, settings.resource, sources)
  const release = settings.metrics && claimReceiver(management.meters, settings.metrics.url)

  const queues = new Map<Signal, QueuedExport>()
  const queueSize = (signal: Signal) => queues.get(signal)?.queueSize ?? 0
  const meters = createExportMeters(management.meters, signalsOf(settings), queueSize)
  const reports: LossReport[] = []
  const held = settings.tracing && new HeldRequests((each) => createHeldMeters(management.meters, each))
  if (held !== undefined) held.rule = settings.keeping
  else if (settings.keeping !== undefined) {
    report('otlp: keepFailedRequests has no effect, because upkeep does not export the traces of this process')
  }
  const exportingTo = (signal: Signal, url: string): Exporting => {
    // Otherwise each failed export of log records would lead to another one.
    const ownReport: Report = signal === 'logs' ? (...args) => withoutLogSinks(() => report(...args)) : report
    const losses = createLossReport(signal, shownUrl(url), ownReport, clock)
    reports.push(losses)
    const onlyOnFlush = options.schedule === 'flush'
    return { meters, losses, report: ownReport, clock, random: Math.random, held, onlyOnFlush }
  }
  const signals: SignalExport[] = []
  let endWatching: (() => void) | undefined
  if (settings.tracing && tracing) {
    const traces = tracing(exportingTo('traces', settings.tracing.url))
    queues.set('traces', traces)
    signals.push(traces)
  }
  if (settings.logs && logs) {
    const exported = logs(exportingTo('logs', settings.logs.url))
    queues.set('logs', exported)
    signals.push(exported)
  }
  if (settings.metrics && metrics) {
    const clusterExport = cluster && createClusterExport(cluster, report)
    const source = clusterExport?.source ?? management.measurements ?? management.meters
    const exported = metrics(source, exportingTo('metrics', settings.metrics.url))
    signals.push(exported)
    endWatching = clusterExport?.watch(() => void exported.flush())
  }
  const uninstall = usesForeignSdk ? installTracing(createTracing()) : () => {}

  const milliseconds = boundedMilliseconds(durationMilliseconds(flushTimeout, 'flushTimeout'))
  let ending: Promise<void> | undefined

  async function end(signal: AbortSignal | undefined): Promise<void> {
    uninstall()
    endWatching?.()
    const done = Promise.all(signals.map((each) => each.shutdown()))
    if (!(await settlesWithin(done, milliseconds, signal))) {
      for (const each of signals) each.abort()
      await done
    }
    for (const losses of reports) losses.flush()
    meters.close()
    release?.()
  }

  const shutdown = (signal?: AbortSignal): Promise<void> => {
    ending ??= end(signal)
    return ending
  }
  return {
    name: 'telemetry',
    run: shutdown,
    // The export's own timeout comes first and takes some milliseconds more.
    timeout: `${milliseconds + 500}ms`,
    async flush(timeout) {
      const limit =
        timeout === undefined ? milliseconds : boundedMilliseconds(durationMilliseconds(timeout, 'flush: timeout'))
      if (ending !== undefined) return
      // Slightly earlier, so that all has ended when this resolves.
      const deadline =
        options.schedule === 'flush' ? clock.monotonicTime() + limit - Math.min(50, limit / 10) : undefined
      await settlesWithin(Promise.all(signals.map((each) => each.flush(deadline))), limit)
    },
    shutdown,
  }
}

/** A series of a group is the same whichever member exports it. */
function metricsResource(resource: ResourceAttributes, cluster: ExportedCluster | undefined): ResourceAttributes {
  return cluster === undefined ? resource : { ...resource, 'service.instance.id': cluster.id }
}

async function loadExporters(
  exporter: TelemetryOptions['exporter'],
  { tracing, metrics }: TelemetrySettings,
): Promise<Exporters> {
  return exporter === 'opentelemetry'
    ? loadOfficialExporters({ traces: tracing !== undefined, metrics: metrics !== undefined })
    : ownExporters
}

function signalsOf({ tracing, metrics, logs }: TelemetrySettings): readonly Signal[] {
  return [
    ...(tracing ? ['traces' as const] : []),
    ...(metrics ? ['metrics' as const] : []),
    ...(logs ? ['logs' as const] : []),
  ]
}

/** Waits for work that never rejects. Returns whether it settled before the timeout and before `signal` was aborted. */
export function settlesWithin(work: Promise<unknown>, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false)
    const late = () => end(false)
    const timer = setTimeout(late, milliseconds)
    signal?.addEventListener('abort', late)
    void work.then(() => end(true))
    function end(isDone: boolean): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', late)
      resolve(isDone)
    }
  })
}
