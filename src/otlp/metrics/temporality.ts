import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { MeterId } from '../../metrics/snapshot.ts'
import { type CountedSnapshot, countedSince, isNothing } from './counted.ts'
import type { CollectorOptions } from './metric-data.ts'

/** Whether counts are those since the start or those since the last export. */
export interface CumulativeOrDelta extends Pick<CollectorOptions, 'isDelta' | 'counted' | 'onPoint'> {
  /** Is told of what has arrived. */
  readonly acknowledge: (sent: Pick<ResourceMetrics, 'scopeMetrics'>) => void
}

/** Counts since the start of each series; of the process, where that is not known. */
export function cumulative(): CumulativeOrDelta {
  return {
    isDelta: () => false,
    counted: (snapshot) => ({ snapshot, start: startOf(snapshot) }),
    onPoint: () => {},
    acknowledge: () => {},
  }
}

/**
 * Counts since the last export that has arrived. What a data point told is counted as sent only once it is acknowledged, so
 * what was on its way in an export that failed is told by the next one, from the same start.
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
