import type { MeterId } from '../../metrics/snapshot.ts'
import { type CountedSnapshot, countedSince, isNothing } from './counted.ts'

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
