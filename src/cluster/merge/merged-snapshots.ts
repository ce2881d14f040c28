import type { BucketsSnapshot, Exemplar, ExponentialSnapshot, MeterSnapshot } from '../../metrics/snapshot.ts'
import { cellPlaces } from '../series-definition.ts'
import type { MergedSeries, SeriesLayout } from './merged-series.ts'

/** What of the merged series is not in cells. */
export interface MergedDetails {
  /** By bucket. */
  readonly exemplars: ReadonlyMap<MergedSeries, readonly (Exemplar | undefined)[]>
  readonly exponentials: ReadonlyMap<MergedSeries, ExponentialSnapshot>
}

/** Returns the snapshot of a merged series; `undefined` before it has a value. */
export function mergedSnapshot(
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
