import type { MeterRegistry } from '../../metrics/meter-registry.ts'

/** Current receivers of the meters, stored on the registry so that duplicate installs of upkeep share it. */
const claimed: unique symbol = Symbol.for('upkeep.otlp.receivers')

interface ClaimedMeters extends MeterRegistry {
  [claimed]?: Set<string>
}

/**
 * Marks a receiver as receiving these meters; two exports to one receiver would count everything twice. Returns a
 * function that releases it.
 *
 * @throws Error when the receiver already receives them.
 */
export function claimReceiver(meters: ClaimedMeters, url: string): () => void {
  meters[claimed] ??= new Set()
  const urls = meters[claimed]
  if (urls.has(url)) {
    const { origin } = new URL(url)
    throw new Error(
      `startTelemetry: these metrics are already exported to ${origin}; call shutdown() of that export first`,
    )
  }
  urls.add(url)
  return () => void urls.delete(url)
}
