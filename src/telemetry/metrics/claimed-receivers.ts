import type { MeterRegistry } from '../../metrics/meter-registry.ts'

/** Where which meters are sent to now. */
const claimed = new WeakMap<MeterRegistry, Set<string>>()

/**
 * Says that meters are sent to a receiver, until the function that it answers is called: twice at a time everything would be
 * counted double there, as two instances.
 *
 * @throws Error when they are sent to that receiver already.
 */
export function claimReceiver(meters: MeterRegistry, url: string): () => void {
  const urls = claimed.get(meters) ?? new Set()
  if (urls.has(url)) {
    throw new Error(
      `startTelemetry: these metrics are sent to ${new URL(url).origin} already; end that by its shutdown() before`,
    )
  }
  claimed.set(meters, urls.add(url))
  return () => void urls.delete(url)
}
