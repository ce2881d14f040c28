import type { MeterRegistry } from '../../metrics/meter-registry.ts'

/** Where meters are sent to now: kept by the registry, so that every copy of upkeep sees it. */
const claimed: unique symbol = Symbol.for('upkeep.otlp.receivers')

interface ClaimedMeters extends MeterRegistry {
  [claimed]?: Set<string>
}

/**
 * Says that meters are sent to a receiver, until the function that it answers is called: twice at a time everything would be
 * counted double there, as two instances.
 *
 * @throws Error when they are sent to that receiver already.
 */
export function claimReceiver(meters: ClaimedMeters, url: string): () => void {
  meters[claimed] ??= new Set()
  const urls = meters[claimed]
  if (urls.has(url)) {
    throw new Error(
      `startTelemetry: these metrics are sent to ${new URL(url).origin} already; end that by its shutdown() before`,
    )
  }
  urls.add(url)
  return () => void urls.delete(url)
}
