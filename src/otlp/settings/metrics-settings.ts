import { oneOf } from './grammars.ts'
import { type ReceiverSettings, receiverSettings } from './receiver-settings.ts'
import { urlHint } from './receiver-url.ts'
import type { MetricsExportOptions, TelemetryOptions } from './telemetry-options.ts'
import { readMilliseconds } from './timing.ts'
import type { VariableReader } from './variables.ts'

export interface MetricsSettings extends ReceiverSettings {
  readonly stepMilliseconds: number
  readonly temporality: 'cumulative' | 'delta' | 'lowmemory'
}

const temporalities = oneOf('cumulative', 'delta', 'lowmemory')

/** Returns the hints for a receiver that refuses data points. */
export function metricsHint({ url, temporality }: MetricsSettings): (status: number, reason: string) => string {
  const hintOfUrl = urlHint(url, 'v1/metrics')
  return (status, reason) => {
    if (temporality === 'cumulative' || !/temporality/i.test(reason)) return hintOfUrl(status)
    return `; the receiver does not accept the temporality ${temporality}: set metrics.temporality to cumulative`
  }
}

export function metricsSettings(
  general: TelemetryOptions,
  own: MetricsExportOptions,
  variables: VariableReader,
): MetricsSettings {
  const receiver = receiverSettings({ name: 'METRICS', path: 'v1/metrics' }, general, own, variables)
  const stepMilliseconds = readMilliseconds(own.step, variables, ['OTEL_METRIC_EXPORT_INTERVAL'], 60_000)
  const limit = readMilliseconds(undefined, variables, ['OTEL_METRIC_EXPORT_TIMEOUT'], 30_000)
  return {
    ...receiver,
    // Exports must not overlap: with deltas, overlapping exports would count twice.
    timeoutMilliseconds: Math.max(1, Math.floor(Math.min(receiver.timeoutMilliseconds, limit, stepMilliseconds * 0.9))),
    stepMilliseconds,
    temporality:
      own.temporality ??
      variables.read(['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'], temporalities) ??
      'cumulative',
  }
}
