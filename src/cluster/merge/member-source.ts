import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import type { MemberImage } from '../member-image.ts'
import { snapshotOfCells } from './series-cells.ts'

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
  const names = [...byName.keys()].sort()
  function* read(name: string): Generator<MeterSnapshot> {
    for (const index of byName.get(name) ?? []) {
      const definition = image.definitions[index]
      if (definition !== undefined) yield snapshotOfCells(definition, image.cells, image.places[index] ?? 0)
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
