import { kindOf } from '../../../base/callback.ts'
import type { MeterRegistry } from '../../../metrics/meter-registry.ts'
import type { Tags } from '../../../metrics/series/tags.ts'

/** The meters that BullMQ requests for each job that changes its state. */
export interface JobMeter {
  createCounter(
    name: string,
    options?: { readonly description?: string },
  ): { add(value: number, attributes?: Readonly<Record<string, unknown>>): void }
  createHistogram(
    name: string,
    options?: { readonly description?: string; readonly unit?: string },
  ): { record(value: number, attributes?: Readonly<Record<string, unknown>>): void }
  createGauge(name: string): { record(value: number): void }
}

/**
 * Returns the meters of BullMQ as those of a registry. Durations become timers in seconds; gauges, which BullMQ records
 * on request only, are left to `queueMeters`.
 *
 * @throws TypeError if `meters` is not a registry.
 */
export function createJobMeter(meters: MeterRegistry): JobMeter {
  if (typeof meters?.counter !== 'function') {
    throw new TypeError(`bullmqTelemetry: meters: expected the meters of a management, received ${kindOf(meters)}`)
  }
  return {
    createCounter: (name, { description } = {}) => ({
      add: (value, attributes = {}) =>
        attempt(() => meters.counter(name, tagsOf(attributes), { description }).increment(value)),
    }),
    createHistogram: (name, { description, unit } = {}) => ({
      record: (value, attributes = {}) =>
        attempt(() => {
          const { 'bullmq.job.state': state } = attributes
          const timer = meters.timer(name, { ...tagsOf(attributes), state: String(state) }, { description })
          // The clock of the machine may have been set back meanwhile.
          timer.record(Math.max(0, unit === 'ms' ? value / 1_000 : value))
        }),
    }),
    createGauge: () => ({ record: () => {} }),
  }
}

function tagsOf({ 'bullmq.queue.name': queue, 'bullmq.job.name': job }: Readonly<Record<string, unknown>>): Tags {
  return { queue: String(queue), job: String(job) }
}

/** A meter that cannot be created must not fail the job. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The registry has reported it.
  }
}
