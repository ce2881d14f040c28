import { readFileSync } from 'node:fs'
import { systemClock } from '../base/clock.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { contain, reportToConsole } from '../base/report.ts'
import { uuidV4 } from '../ids/uuid/uuid-v4.ts'
import { createTracing } from '../tracing/create-tracing.ts'
import { installTracing } from '../tracing/current-tracing.ts'
import { hasOpenTelemetry } from '../tracing/open-telemetry.ts'
import { createExportMeters, type Signal } from './delivery/export-meters.ts'
import { agentFor, type Exporting, type SignalExport } from './delivery/exporting.ts'
import { createLossReport, type LossReport } from './delivery/loss-report.ts'
import { within } from './delivery/within.ts'
import { claimReceiver } from './metrics/claimed-receivers.ts'
import { exportMetrics } from './metrics/metrics-export.ts'
import { loadMetricsPeers, loadTracingPeers } from './peers.ts'
import type { ReceiverSettings } from './settings/receiver-settings.ts'
import { shownUrl } from './settings/receiver-url.ts'
import { resolveSettings, type TelemetrySettings } from './settings/settings.ts'
import type { TelemetryOptions } from './settings/telemetry-options.ts'
import { boundedMilliseconds } from './settings/timing.ts'
import { exportTraces, type TracesExport } from './traces/traces-export.ts'

/**
 * The export of an application's telemetry. It is itself what `shutdownGracefully` takes for a hook:
 * `shutdownGracefully(server, management, { flush: [telemetry] })`.
 */
export interface Telemetry {
  readonly name: 'telemetry'
  /** The same as `shutdown`. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** How long a hook has to be waited for: somewhat longer than `flushTimeout`. */
  readonly timeout: Duration
  /** Sends what there is now; resolves when it has arrived, has failed, or the time is up. Never rejects. */
  flush(): Promise<void>
  /**
   * Sends what there is and ends the export: nothing of it keeps the process alive any more. What has not arrived when the
   * time is up, or `signal` aborts, is given up, counted and reported. Never rejects.
   */
  shutdown(signal?: AbortSignal): Promise<void>
}

/**
 * Sends metrics and traces of an application to OTLP receivers, over the official exporters of OpenTelemetry. What a receiver
 * does never reaches the application: it is down, hangs or refuses at the cost of the telemetry alone, which is counted in
 * the meters `otlp.*`, and reported once a minute at most.
 *
 * Where the application has registered a tracer provider of its own, that one is used for traces, and nothing else.
 *
 * Rejects with a TypeError naming each option and variable that is not what it may be; with an Error naming what to install,
 * and with one where the same metrics are sent to the same receiver already.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const settings = resolveSettings(options, process.env, uuidV4)
  const { management, clock = systemClock, flushTimeout = '5s' } = options
  const report = contain(options.report ?? management.report ?? reportToConsole)
  const usesForeignSdk = settings.tracing !== undefined && hasOpenTelemetry()
  const [metricsPeers, tracingPeers] = await Promise.all([
    settings.metrics && loadMetricsPeers(),
    settings.tracing && !usesForeignSdk ? loadTracingPeers() : undefined,
  ])

  // All that can throw comes before anything is begun.
  const agentOf = (signal: ReceiverSettings) => agentFor(signal, clock, readFileSync)
  const tracingAgent = settings.tracing && tracingPeers && agentOf(settings.tracing)
  const metricsAgent = settings.metrics && agentOf(settings.metrics)
  const release = settings.metrics && claimReceiver(management.meters, settings.metrics.url)

  let traces: TracesExport | undefined
  const meters = createExportMeters(
    management.meters,
    signalsOf(settings, usesForeignSdk),
    () => traces?.queueSize ?? 0,
  )
  const reports: LossReport[] = []
  const exportingTo = (signal: Signal, url: string): Exporting => {
    const losses = createLossReport(signal, shownUrl(url), report, clock)
    reports.push(losses)
    return { meters, losses, report, clock, random: Math.random }
  }
  const signals: SignalExport[] = []
  if (settings.tracing && tracingPeers && tracingAgent) {
    const exporting = exportingTo('traces', settings.tracing.url)
    traces = exportTraces(settings.tracing, settings.resource, tracingAgent, tracingPeers, exporting)
    signals.push(traces)
  }
  if (settings.metrics && metricsPeers && metricsAgent) {
    const source = management.measurements ?? management.meters
    const exporting = exportingTo('metrics', settings.metrics.url)
    signals.push(exportMetrics(source, settings.metrics, settings.resource, metricsAgent, metricsPeers, exporting))
  }
  const uninstall = usesForeignSdk ? installTracing(createTracing()) : () => {}

  const milliseconds = boundedMilliseconds(durationMilliseconds(flushTimeout, 'flushTimeout'))
  let ending: Promise<void> | undefined

  async function end(signal: AbortSignal | undefined): Promise<void> {
    uninstall()
    const done = Promise.all(signals.map((each) => each.shutdown()))
    if (!(await within(done, milliseconds, signal))) {
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
    // Its own end comes first, which takes some milliseconds more.
    timeout: `${milliseconds + 500}ms`,
    async flush() {
      if (ending === undefined) await within(Promise.all(signals.map((each) => each.flush())), milliseconds)
    },
    shutdown,
  }
}

function signalsOf({ tracing, metrics }: TelemetrySettings, usesForeignSdk: boolean): readonly Signal[] {
  return [...(tracing && !usesForeignSdk ? ['traces' as const] : []), ...(metrics ? ['metrics' as const] : [])]
}
