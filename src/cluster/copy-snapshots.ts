import { setCell } from '../metrics/meter.ts'
import type {
  BucketsSnapshot,
  ExponentialSnapshot,
  MeterId,
  MeterSnapshot,
  SnapshotSource,
} from '../metrics/snapshot.ts'
import { cellPlaces, exponentialPlaces, type SeriesDefinition } from './series-definition.ts'
import { isRecorded, type ValueCopier, type ValueTarget } from './value-target.ts'

const seriesPerSlice = 64
/** As many as distributions of upkeep have at most by default. */
const exponentialBuckets = 160

interface TrackedSeries {
  /** `undefined` if it does not fit into the file. */
  readonly index: number | undefined
  readonly definition: SeriesDefinition
  isSeen: boolean
}

/** Copies the series of any source, such as that of another metrics library, by their snapshots. */
export function createSnapshotCopier(source: SnapshotSource, target: ValueTarget): ValueCopier {
  const tracked = new Map<MeterId, TrackedSeries>()

  const track = (snapshot: MeterSnapshot): TrackedSeries => {
    const known = tracked.get(snapshot.id)
    if (known !== undefined && fits(known.definition, snapshot)) return known
    if (known?.index !== undefined) target.remove(known.index)
    const definition = definitionOf(snapshot)
    const created = { definition, index: target.define(definition), isSeen: true }
    tracked.set(snapshot.id, created)
    return created
  }

  function* copy(): Generator<undefined, boolean> {
    let isCounted = false
    for (const series of tracked.values()) series.isSeen = false
    for (const slice of source.slices(seriesPerSlice)) {
      for (const snapshot of slice) {
        const series = track(snapshot)
        series.isSeen = true
        const { index, definition } = series
        if (index === undefined) continue
        if (writeSnapshot(snapshot, definition, target.cells, target.placeOf(index))) {
          copyExemplars(snapshot, index, target)
          if (isRecorded(snapshot.kind)) isCounted = true
        }
      }
      yield
    }
    for (const [id, { index, isSeen }] of tracked) {
      if (isSeen) continue
      if (index !== undefined) target.remove(index)
      tracked.delete(id)
    }
    target.finish()
    return isCounted
  }

  return { copy }
}

/** Returns whether the values of a snapshot fit into the cells of a definition. */
function fits({ kind, bounds, exponentialBuckets = 0 }: SeriesDefinition, snapshot: MeterSnapshot): boolean {
  const own = bucketsOf(snapshot)?.bounds
  if (kind !== snapshot.kind || (bounds !== own && String(bounds ?? []) !== String(own ?? []))) return false
  return exponentialOf(snapshot).length <= exponentialBuckets
}

function exponentialOf(snapshot: MeterSnapshot): readonly number[] {
  return ('exponential' in snapshot ? snapshot.exponential?.counts : undefined) ?? []
}

/** Returns the definition of the series of a snapshot. */
function definitionOf(snapshot: MeterSnapshot): SeriesDefinition {
  const bounds = bucketsOf(snapshot)?.bounds ?? []
  const isExponential = 'exponential' in snapshot && snapshot.exponential !== undefined
  return {
    kind: snapshot.kind,
    id: snapshot.id,
    created: 'created' in snapshot ? snapshot.created : 0,
    ...(bounds.length > 0 ? { bounds } : {}),
    ...(isExponential ? { exponentialBuckets: Math.max(exponentialBuckets, exponentialOf(snapshot).length) } : {}),
  }
}

/** Writes the values of a snapshot to the cells of its definition. Returns whether any cell changed. */
function writeSnapshot(
  snapshot: MeterSnapshot,
  definition: SeriesDefinition,
  cells: Float64Array,
  place: number,
): boolean {
  switch (snapshot.kind) {
    case 'counter':
    case 'gauge':
      return setCell(cells, place, snapshot.value)
    case 'functionTimer': {
      const isCounted = setCell(cells, place, snapshot.count)
      return setCell(cells, place + 1, snapshot.total) || isCounted
    }
    case 'timer':
    case 'summary':
      return writeDistribution([snapshot.total, snapshot.max, snapshot.count], snapshot, definition, cells, place)
    case 'longTaskTimer': {
      const { duration, max, activeTasks, buckets } = snapshot
      return writeDistribution(
        [duration, max, activeTasks],
        { buckets, exponential: undefined },
        definition,
        cells,
        place,
      )
    }
  }
}

function writeDistribution(
  [total, max, count]: readonly [number, number, number],
  { buckets, exponential }: { buckets: BucketsSnapshot | undefined; exponential: ExponentialSnapshot | undefined },
  { bounds = [] }: SeriesDefinition,
  cells: Float64Array,
  place: number,
): boolean {
  const isSummed = setCell(cells, place + cellPlaces.total, total)
  const isMaximum = setCell(cells, place + cellPlaces.max, max)
  const isCounted = setCell(cells, place + cellPlaces.count, count)
  if (bounds.length > 0) cells.set(buckets?.counts.slice(0, bounds.length + 1) ?? [], place + cellPlaces.buckets)
  if (exponential !== undefined) {
    const first = place + cellPlaces.buckets + (bounds.length === 0 ? 0 : bounds.length + 1)
    cells[first + exponentialPlaces.scale] = exponential.scale
    cells[first + exponentialPlaces.zeroCount] = exponential.zeroCount
    cells[first + exponentialPlaces.offset] = exponential.offset
    cells[first + exponentialPlaces.length] = exponential.counts.length
    cells.set(exponential.counts, first + exponentialPlaces.counts)
  }
  return isSummed || isMaximum || isCounted
}

function copyExemplars(snapshot: MeterSnapshot, index: number, target: ValueTarget): void {
  if (snapshot.kind === 'counter' && snapshot.exemplar !== undefined) target.setExemplar(index, 0, snapshot.exemplar)
  if (snapshot.kind !== 'timer' && snapshot.kind !== 'summary') return
  snapshot.exemplars?.forEach((exemplar, bucket) => {
    if (exemplar !== undefined) target.setExemplar(index, bucket, exemplar)
  })
}

function bucketsOf(snapshot: MeterSnapshot): BucketsSnapshot | undefined {
  return 'buckets' in snapshot ? snapshot.buckets : undefined
}
