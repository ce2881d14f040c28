import type { Management } from '../entries/index.ts'
import { startTelemetry, type Telemetry } from '../otlp/start-telemetry.ts'
import type { Signal } from './exported-signals.ts'

/** Exports these signals, and no others. */
export function exportTelemetry(management: Management, signals: readonly Signal[]): Promise<Telemetry> {
  return startTelemetry({
    management,
    ...(!signals.includes('TRACES') && { tracing: false }),
    ...(!signals.includes('METRICS') && { metrics: false }),
    ...(!signals.includes('LOGS') && { logs: false }),
  })
}
