import type { BucketsSnapshot, Exemplar, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import type { MemberImage } from '../member-image.ts'
import { cellPlaces, type SeriesDefinition } from '../series-definition.ts'
import { readExponential } from './exponential-histograms.ts'

/** Returns the series of one member as it has written them, client-side quantiles excepted. */
export function createMemberSource(image: MemberImage): SnapshotSource {
  const byName = new Map<string, number[]>()
  for (const [index, definition] of image.definitions.entries()) {
    if (definition === undefined) continue
    const { name } = definition.id
    const indices = byName.get(name)
    if (indices === undefined) byName.set(name, [index])
    else indices.push(index)
  }
  const exemplars = exemplarsOf(image)
  const names = [...byName.keys()].sort()
  function* read(name: string): Generator<MeterSnapshot> {
    for (const index of byName.get(name) ?? []) {
      const definition = image.definitions[index]
      if (definition === undefined) continue
      yield snapshotOfCells(definition, image.cells, image.places[index] ?? 0, exemplars.get(index))
    }
  }
  function* slices(size = 64): Generator<readonly MeterSnapshot[]> {
    for (const name of names) {
      let slice: MeterSnapshot[] = []
      for (const snapshot of read(name)) {
        if (slice.length === size || (slice[0] !== undefined && slice[0].kind !== snapshot.kind)) {
          yield slice
          slice = []
        }
        slice.push(snapshot)
      }
      if (slice.length > 0) yield slice
    }
  }
  return {
    names: () => names,
    *snapshot(name) {
      if (name === undefined) for (const each of names) yield* read(each)
      else yield* read(name)
    },
    slices,
  }
}

/** Returns the exemplars of each series by bucket. */
function exemplarsOf({ definitions, exemplars }: MemberImage): ReadonlyMap<number, readonly (Exemplar | undefined)[]> {
  const bySeries = new Map<number, (Exemplar | undefined)[]>()
  for (const { series, bucket, exemplar } of exemplars) {
    const buckets = (definitions[series]?.bounds?.length ?? 0) + 1
    if (!(bucket >= 0 && bucket < buckets)) continue
    const known = bySeries.get(series) ?? new Array<Exemplar | undefined>(buckets).fill(undefined)
    known[bucket] = exemplar
    bySeries.set(series, known)
  }
  return bySeries
}

/** Returns the snapshot of a series from its cells, the first of which is at `place`, and its exemplars by bucket. */
function snapshotOfCells(
  definition: SeriesDefinition,
  cells: Float64Array,
  place: number,
  exemplars?: readonly (Exemplar | undefined)[],
): MeterSnapshot {
  const { kind, id, created } = definition
  const at = (cell: number): number => cells[place + cell] ?? Number.NaN
  switch (kind) {
    case 'counter':
      return { kind, id, value: at(0), created, exemplar: exemplars?.[0] }
    case 'gauge':
      return { kind, id, value: at(0) }
    case 'functionTimer':
      return { kind, id, count: at(0), total: at(1), created }
    case 'longTaskTimer':
      return {
        kind,
        id,
        activeTasks: at(cellPlaces.count),
        duration: at(cellPlaces.total),
        max: at(cellPlaces.max),
        buckets: bucketsOf(definition, cells, place),
      }
    case 'timer':
    case 'summary':
      return {
        kind,
        id,
        count: at(cellPlaces.count),
        total: at(cellPlaces.total),
        max: at(cellPlaces.max),
        percentiles: undefined,
        buckets: bucketsOf(definition, cells, place),
        exponential: readExponential(definition, cells, place),
        exemplars,
        created,
      }
  }
}

function bucketsOf({ bounds }: SeriesDefinition, cells: Float64Array, place: number): BucketsSnapshot | undefined {
  if (bounds === undefined || bounds.length === 0) return undefined
  const first = place + cellPlaces.buckets
  return { bounds, counts: Array.from(cells.subarray(first, first + bounds.length + 1)) }
}
