import type {
  CounterSnapshot,
  DistributionSnapshot,
  ExponentialSnapshot,
  FunctionTimerSnapshot,
} from '../../metrics/snapshot.ts'

/** A snapshot of values that only grow. */
export type CountedSnapshot = CounterSnapshot | DistributionSnapshot | FunctionTimerSnapshot

/**
 * Returns what was counted between two snapshots of one series; all of the second if the first is not an earlier state.
 */
export function countedSince<S extends CountedSnapshot>(now: S, before: CountedSnapshot | undefined): S {
  if (before === undefined || before.kind !== now.kind || !isPast(before, now)) return now
  if (now.kind === 'counter') return { ...now, value: now.value - (before as CounterSnapshot).value }
  const { count, total } = before as DistributionSnapshot | FunctionTimerSnapshot
  const difference = { ...now, count: now.count - count, total: now.total - total }
  if (now.kind === 'functionTimer') return difference
  const { buckets, exponential } = before as DistributionSnapshot
  return {
    ...difference,
    buckets: now.buckets && {
      bounds: now.buckets.bounds,
      counts: now.buckets.counts.map((each, at) => each - (buckets?.counts[at] ?? 0)),
    },
    exponential: now.exponential && exponentialSince(now.exponential, exponential),
  }
}

/** Whether nothing was counted. */
export function isNothing(snapshot: CountedSnapshot): boolean {
  return snapshot.kind === 'counter' ? snapshot.value === 0 : snapshot.count === 0
}

/** Counts from other sources may restart. */
function isPast(before: CountedSnapshot, now: CountedSnapshot): boolean {
  if (before.kind === 'counter') return now.kind === 'counter' && before.value <= now.value
  return now.kind !== 'counter' && before.count <= now.count && before.total <= now.total
}

/** Scales only decrease, merging pairs of buckets: converts the earlier buckets to the current scale. */
function exponentialSince(now: ExponentialSnapshot, before: ExponentialSnapshot | undefined): ExponentialSnapshot {
  if (before === undefined) return now
  const counts = [...now.counts]
  before.counts.forEach((count, index) => {
    // Division, since shifts wrap at 32 bits.
    const at = Math.floor((before.offset + index) / 2 ** (before.scale - now.scale)) - now.offset
    counts[at] = (counts[at] ?? 0) - count
  })
  return { ...now, zeroCount: now.zeroCount - before.zeroCount, counts }
}
