import { createManagement, traced } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { startTelemetry, type TelemetryOptions } from 'upkeep/otlp'
import { onTestFinished } from 'vitest'

export type SignalName = 'traces' | 'metrics' | 'logs'

/** Starts an application that exports one signal, and ends it after the test. */
export async function startApplication(
  exporter: NonNullable<TelemetryOptions['exporter']>,
  signal: SignalName,
  options: Partial<TelemetryOptions>,
) {
  const management = createManagement({ application: { name: 'orders' }, metrics: { runtime: false } })
  onTestFinished(() => management.close())
  const reported: string[] = []
  const telemetry = await startTelemetry({
    ...{ management, exporter, timeout: '20s', flushTimeout: '25s' },
    ...(signal === 'traces' ? {} : { tracing: false }),
    ...(signal === 'metrics' ? {} : { metrics: false }),
    ...(signal === 'logs' ? {} : { logs: false }),
    report: (message) => reported.push(message),
    ...options,
  })
  onTestFinished(() => telemetry.shutdown())
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  return {
    telemetry,
    reported,
    /** A counter of the export of the signal. */
    count: (name: string) => management.meters.counter(`otlp.${name}`, { signal }).value,
    /** Records one item of the signal by this name; of metrics, counts it twice. */
    record(name: string) {
      if (signal === 'traces') traced(name, () => {})
      if (signal === 'metrics') management.meters.counter(name).increment(2)
      if (signal === 'logs') logger.info(name)
    },
  }
}
