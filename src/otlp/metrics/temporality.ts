import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { MeterId } from '../../metrics/snapshot.ts'
import { type CountedSnapshot, countedSince, isNothing } from './counted.ts'
import type { CollectorOptions } from './metric-data.ts'

/** Counts since the start, or since the last export. */
export interface CumulativeOrDelta extends Pick<CollectorOptions, 'isDelta' | 'counted' | 'onPoint'> {
  /** Called with delivered metrics. */
  readonly acknowledge: (sent: Pick<ResourceMetrics, 'scopeMetrics'>) => void
}

/** Counts since the start of each series, or of the process where that is unknown. */
export function cumulative(): CumulativeOrDelta {
  return {
    isDelta: () => false,
    counted: (snapshot) => ({ snapshot, start: startOf(snapshot) }),
    onPoint: () => {},
    acknowledge: () => {},
  }
}

/**
 * Counts since the last acknowledged export. Values count as sent only once acknowledged, so a failed export is
 * repeated in the next one, from the same start.
 */
export function deltaSinceAcknowledged(isDelta: (snapshot: CountedSnapshot) => boolean): CumulativeOrDelta {
  const arrived = new WeakMap<MeterId, { readonly snapshot: CountedSnapshot; readonly end: number }>()
  const underWay = new WeakMap<object, CountedSnapshot>()
  return {
    isDelta,
    counted(whole) {
      if (!isDelta(whole)) return { snapshot: whole, start: startOf(whole) }
      const before = arrived.get(whole.id)
      const snapshot = countedSince(whole, before?.snapshot)
      return isNothing(snapshot) ? undefined : { snapshot, start: before?.end ?? startOf(whole) }
    },
    onPoint(point, whole) {
      if (isDelta(whole)) underWay.set(point, whole)
    },
    acknowledge({ scopeMetrics }) {
      for (const { metrics } of scopeMetrics) {
        for (const { dataPoints } of metrics) {
          for (const point of dataPoints) {
            const snapshot = underWay.get(point)
            if (snapshot === undefined) continue
            const [seconds, nanoseconds] = point.endTime
            arrived.set(snapshot.id, { snapshot, end: seconds + nanoseconds / 1e9 })
          }
        }
      }
    },
  }
}

function startOf({ created }: CountedSnapshot): number {
  return Number.isNaN(created) ? performance.timeOrigin / 1_000 : created
}
