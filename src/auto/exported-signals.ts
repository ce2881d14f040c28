import { hasOpenTelemetry } from '../tracing/open-telemetry.ts'
import type { Environment } from './settings/upkeep-variables.ts'

/** What is exported, as the variables of OpenTelemetry name it. */
export type Signal = (typeof signals)[number]

const signals = ['TRACES', 'METRICS', 'LOGS'] as const

/** Returns the signals that have a receiver: none if the application has an SDK of OpenTelemetry, which exports them. */
export function exportedSignals(environment: Environment): readonly Signal[] {
  if (hasOpenTelemetry()) return []
  return signals.filter((signal) => {
    const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
    return names.some((name) => environment[name]?.trim())
  })
}
