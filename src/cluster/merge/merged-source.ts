import { type Clock, systemClock } from '../../base/clock.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { createPacer } from '../../base/pacer.ts'
import type { Report } from '../../base/report.ts'
import type { BucketsSnapshot, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import type { MemberImage, MemberRecord } from '../member-image.ts'
import { cellPlaces, type GaugeRule } from '../series-definition.ts'
import type { MergedDetails } from './merge-details.ts'
import { MergeTable } from './merge-table.ts'
import { MergeUpdates } from './merge-updates.ts'
import type { MergedSeries, SeriesLayout } from './merged-series.ts'

interface MergedSourceOptions {
  /**
   * How gauges are merged, by name. What is not listed is merged as its member has declared, as the table of upkeep's
   * own meters says, or by `each`.
   */
  readonly gauges: Readonly<Record<string, GaugeRule>>
  /** The maximum number of series per meter of all members together, 1 or more. @default 1000 */
  readonly maximumSeriesPerMeter?: number
  /** Called once for each meter that has too many series, or that members define differently. */
  readonly report: Report
  /** @default systemClock */
  readonly clock?: Clock
}

/** The values of several members as one. */
export interface MergedSource extends SnapshotSource {
  /**
   * Merges the values of members and of those that ended before them. Readers see them when the promise resolves, and
   * until then those of the last update. Yields to the event loop twice per millisecond. The images must not change
   * meanwhile. Overlapping calls are done one after the other. Never rejects.
   */
  update(members: readonly MemberRecord[], base: MemberImage | undefined): Promise<void>
  /** The number of series that some member describes differently, or that are left out for another kind or unit. */
  readonly conflicts: number
  /** The number of series beyond the maximum of their meter. */
  readonly overflowed: number
  /** The number of values that the last update left out: NaN, negative, infinite, or too great to be true. */
  readonly invalid: number
}

/**
 * Creates a source that shows the values of several members as one. A series has the same id in all updates.
 *
 * @throws RangeError if the maximum is less than 1.
 */
export function createMergedSource(options: MergedSourceOptions): MergedSource {
  const { gauges, maximumSeriesPerMeter = 1_000, report, clock = systemClock } = options
  if (!(maximumSeriesPerMeter >= 1)) {
    throw optionOutOfRange(`maximumSeriesPerMeter: expected 1 or more, received ${maximumSeriesPerMeter}`)
  }
  const table = new MergeTable({ gauges, maximumSeriesPerMeter, report })
  const updates = new MergeUpdates(table)
  let last: Promise<void> = Promise.resolve()

  async function update(members: readonly MemberRecord[], base: MemberImage | undefined): Promise<void> {
    const pacer = createPacer(clock)
    try {
      for (const _ of updates.run(members, base)) if (pacer.isDue()) await pacer.yield()
    } catch (error) {
      report('failed to merge the values of the cluster', error)
    }
  }

  function* read(name: string, size: number): Generator<readonly MeterSnapshot[]> {
    for (const { rows } of table.families.named(name)) {
      // Series that are added meanwhile are left to the next reader.
      const end = rows.length
      for (let start = 0; start < end; start += size) {
        const slice: MeterSnapshot[] = []
        const shown = table.cells.shown
        const details: MergedDetails = updates.details
        for (let row = start; row < Math.min(start + size, end); row++) {
          const series = rows[row]
          const snapshot = series && mergedSnapshot(series, shown, details)
          if (snapshot !== undefined) slice.push(snapshot)
        }
        if (slice.length > 0) yield slice
      }
    }
  }

  return {
    update(members, base) {
      last = last.then(() => update(members, base))
      return last
    },
    get conflicts() {
      return updates.conflicts
    },
    get overflowed() {
      return table.families.overflowed
    },
    get invalid() {
      return updates.invalid
    },
    names: () => table.families.names,
    *snapshot(name) {
      for (const each of name === undefined ? table.families.names : [name])
        for (const slice of read(each, 64)) yield* slice
    },
    *slices(size = 64) {
      for (const name of table.families.names) yield* read(name, size)
    },
  }
}

/** Returns the snapshot of a merged series; `undefined` before it has a value. */
function mergedSnapshot(
  series: MergedSeries,
  cells: Float64Array,
  { exemplars, exponentials }: MergedDetails,
): MeterSnapshot | undefined {
  const { family, id, created, layout } = series
  if (layout === undefined) return undefined
  const { kind } = family
  const first = cells[layout.place] as number
  switch (kind) {
    case 'counter':
      return { kind, id, value: first, created, exemplar: exemplars.get(series)?.[0] }
    case 'gauge':
      return { kind, id, value: first }
    case 'functionTimer':
      return { kind, id, count: first, total: cells[layout.place + 1] as number, created }
    case 'longTaskTimer':
      return {
        kind,
        id,
        activeTasks: cells[layout.place + cellPlaces.count] as number,
        duration: first,
        max: maximumOf(cells, layout),
        buckets: bucketsOf(cells, layout),
      }
    case 'timer':
    case 'summary': {
      const buckets = bucketsOf(cells, layout)
      return {
        kind,
        id,
        count: buckets === undefined ? (cells[layout.place + cellPlaces.count] as number) : sumOf(buckets.counts),
        total: first,
        max: cells[layout.place + cellPlaces.max] as number,
        percentiles: undefined,
        buckets,
        exponential: exponentials.get(series),
        exemplars: exemplars.get(series),
        created,
      }
    }
  }
}

/** Returns the maximum of running tasks, 0 without one that is known. */
function maximumOf(cells: Float64Array, { place }: SeriesLayout): number {
  return cells[place + cellPlaces.max] || 0
}

function bucketsOf(cells: Float64Array, { place, bounds }: SeriesLayout): BucketsSnapshot | undefined {
  if (bounds.length === 0) return undefined
  const first = place + cellPlaces.buckets
  const counts = new Array<number>(bounds.length + 1)
  for (let at = 0; at < counts.length; at++) counts[at] = cells[first + at] as number
  return { bounds, counts }
}

function sumOf(counts: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < counts.length; at++) sum += counts[at] as number
  return sum
}
