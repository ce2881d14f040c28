import type {
  CounterSnapshot,
  DistributionSnapshot,
  ExponentialSnapshot,
  FunctionTimerSnapshot,
  MeterId,
} from '../../metrics/snapshot.ts'

/** Whether counts are since the start, or since the last export. */
export interface Temporality {
  readonly isDelta: (snapshot: CountedSnapshot) => boolean
  /** Returns what to send of a snapshot, and since when, in seconds since 1970; `undefined` for nothing. */
  readonly counted: (whole: CountedSnapshot) => CountedPart | undefined
  /** Called with snapshots whose parts have been delivered, and their time, in seconds since 1970. */
  readonly acknowledge: (delivered: Iterable<CountedSnapshot>, end: number) => void
}

interface CountedPart {
  readonly snapshot: CountedSnapshot
  readonly start: number
}

/** Counts since the start of each series, or of the process where that is unknown. */
export function cumulative(): Temporality {
  return {
    isDelta: () => false,
    counted: (snapshot) => ({ snapshot, start: startOf(snapshot) }),
    acknowledge: () => {},
  }
}

/**
 * Counts since the last acknowledged export. Values count as sent only once acknowledged, so a failed export is
 * repeated in the next one, from the same start.
 */
export function deltaSinceAcknowledged(isDelta: (snapshot: CountedSnapshot) => boolean): Temporality {
  const arrived = new WeakMap<MeterId, { readonly snapshot: CountedSnapshot; readonly end: number }>()
  return {
    isDelta,
    counted(whole) {
      if (!isDelta(whole)) return { snapshot: whole, start: startOf(whole) }
      const before = arrived.get(whole.id)
      const snapshot = countedSince(whole, before?.snapshot)
      return isNothing(snapshot) ? undefined : { snapshot, start: before?.end ?? startOf(whole) }
    },
    acknowledge(delivered, end) {
      for (const snapshot of delivered) arrived.set(snapshot.id, { snapshot, end })
    },
  }
}

/** Returns the temporality of an export. */
export function temporalityOf(preference: 'cumulative' | 'delta' | 'lowmemory'): Temporality {
  switch (preference) {
    case 'cumulative':
      return cumulative()
    case 'delta':
      return deltaSinceAcknowledged(() => true)
    case 'lowmemory':
      return deltaSinceAcknowledged(({ kind }) => kind !== 'functionTimer')
  }
}

function startOf({ created }: CountedSnapshot): number {
  return Number.isNaN(created) ? performance.timeOrigin / 1_000 : created
}

/** A snapshot of values that only grow. */
export type CountedSnapshot = CounterSnapshot | DistributionSnapshot | FunctionTimerSnapshot

/**
 * Returns what was counted between two snapshots of one series; all of the second if the first is not an earlier state.
 */
function countedSince<S extends CountedSnapshot>(now: S, before: CountedSnapshot | undefined): S {
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
function isNothing(snapshot: CountedSnapshot): boolean {
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
