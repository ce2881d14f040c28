import { createMeterRegistry } from 'upkeep/metrics'
import type { TelemetryOptions } from 'upkeep/otlp'
import { startTelemetry } from 'upkeep/otlp'
import { afterEach } from 'vitest'
import { processTracing } from '../process-tracing.ts'
import { startReceiver } from './receiver.ts'

/** The implementations of the export. */
export const exporters = ['upkeep', 'opentelemetry'] as const

/** Starts telemetry over a receiver of its own, in every test of a file; ends both. */
export function useTelemetry(exporter: (typeof exporters)[number], defaults: Partial<TelemetryOptions> = {}) {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  return async (options: Partial<TelemetryOptions> = {}) => {
    const receiver = await startReceiver()
    ends.push(receiver.dispose)
    const meters = createMeterRegistry()
    const reported: string[] = []
    const telemetry = await startTelemetry({
      management: { meters, application: { name: 'orders', version: '1.4.2' } },
      exporter,
      url: receiver.url,
      // Longer than a busy machine takes: what is to run out of time says so.
      timeout: '20s',
      flushTimeout: '25s',
      report: (message) => reported.push(message),
      ...defaults,
      ...options,
    })
    ends.push(() => telemetry.shutdown())
    return {
      receiver,
      meters,
      reported,
      telemetry,
      /** A counter of the export itself. */
      count: (name: string, signal: string) => meters.counter(`otlp.${name}`, { signal }).value,
      /** Starts and ends so many spans. */
      trace: (count = 1) => {
        for (let at = 0; at < count; at += 1) processTracing()?.startSpan(`span ${at}`).end()
      },
    }
  }
}
