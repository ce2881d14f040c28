import type { MeterSnapshot, SnapshotSource } from 'upkeep/metrics'

type Kind = MeterSnapshot['kind']
type SnapshotOf<K extends Kind, S = MeterSnapshot> = S extends { kind: infer Own } ? (K extends Own ? S : never) : never

/** The snapshots of one kind and name. */
export function snapshotsOf<K extends Kind>(source: SnapshotSource, kind: K, name: string): SnapshotOf<K>[] {
  return [...source.snapshot(name)].filter((snapshot) => snapshot.kind === kind) as SnapshotOf<K>[]
}

/** The one snapshot of a kind and name. */
export function snapshotOf<K extends Kind>(source: SnapshotSource, kind: K, name: string): SnapshotOf<K> {
  const [only, ...others] = snapshotsOf(source, kind, name)
  if (only === undefined || others.length > 0)
    throw new Error(`There are ${others.length} more of ${kind} ${name}, or none`)
  return only
}

/** Name and tags as text, for example `a{x=1,y=2}`. */
export function idText({ id }: MeterSnapshot): string {
  return `${id.name}{${id.tags.map(({ key, value }) => `${key}=${value}`).join(',')}}`
}
