import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { HeldMeters, HeldRequests } from '../../tracing/held/held-requests.ts'

/** Registers the meters of held requests. */
export function createHeldMeters(meters: MeterRegistry, held: HeldRequests): HeldMeters {
  const counting = (name: string, description: string) => {
    const counters = meters.counters(name, ['signal', 'reason'], { description })
    return (signal: string, reason: string) => {
      try {
        counters.with(signal, reason).increment()
      } catch {
        // A filter of the application that throws must not affect requests.
      }
    }
  }
  const size = meters.gauge('otlp.held.size', {}, () => held.bytes, {
    description: 'Estimated memory of the spans and log records that are held until their requests end',
    baseUnit: 'bytes',
  })
  return {
    dropped: counting('otlp.held.dropped', 'Held spans and log records dropped because of a limit'),
    exported: counting('otlp.held.exported', 'Held spans and log records exported because of their requests'),
    close() {
      meters.remove(size)
    },
  }
}
