import type { MeterSnapshot, SnapshotSource } from './snapshot.ts'

/** Returns the source without the meters of some names, which are determined at each read. */
export function leaveOut(source: SnapshotSource, leftOut: () => ReadonlySet<string>): SnapshotSource {
  function* slices(size?: number): Generator<readonly MeterSnapshot[]> {
    const names = leftOut()
    for (const slice of source.slices(size)) if (!names.has(slice[0]?.id.name ?? '')) yield slice
  }
  return {
    names: () => {
      const names = leftOut()
      return source.names().filter((name) => !names.has(name))
    },
    snapshot: function* (name) {
      if (name === undefined) for (const slice of slices()) yield* slice
      else if (!leftOut().has(name)) yield* source.snapshot(name)
    },
    slices,
    refresh: async () => source.refresh?.(),
  }
}
