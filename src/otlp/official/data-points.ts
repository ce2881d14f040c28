import type { BucketsSnapshot, ExponentialSnapshot, MeterId } from '../../metrics/snapshot.ts'
import { attributeValue } from '../metrics/attribute-value.ts'
import type { CollectedExponentialHistogram, CollectedHistogram, CollectedPoint } from './sdk-metrics.ts'

/** Interval of a count, in seconds since 1970-01-01T00:00:00Z. */
export interface Interval {
  readonly start: number
  readonly end: number
}

export function dataPoint<T>(
  id: MeterId,
  value: T,
  { start, end }: Interval,
  more: Readonly<Record<string, string>> = {},
): CollectedPoint<T> {
  return { startTime: hrTime(start), endTime: hrTime(end), attributes: { ...attributesOf(id), ...more }, value }
}

/** Returns bucket counts; a single bucket without bounds. */
export function histogramOf(
  count: number,
  sum: number,
  { bounds, counts }: BucketsSnapshot = { bounds: [], counts: [count] },
): CollectedHistogram {
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count }
}

export function exponentialOf(
  count: number,
  sum: number,
  { scale, zeroCount, offset, counts }: ExponentialSnapshot,
): CollectedExponentialHistogram {
  return {
    count,
    sum,
    scale,
    zeroCount,
    positive: { offset, bucketCounts: [...counts] },
    negative: { offset: 0, bucketCounts: [] },
  }
}

function attributesOf({ tags }: MeterId): Record<string, string | number> {
  const attributes: Record<string, string | number> = {}
  for (const { key, value } of tags) attributes[key] = attributeValue(key, value)
  return attributes
}

/** Returns whole seconds and remaining nanoseconds. */
function hrTime(seconds: number): [seconds: number, nanoseconds: number] {
  const whole = Math.floor(seconds)
  return [whole, Math.round((seconds - whole) * 1e6) * 1_000]
}
