import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { MemberRecord } from './member-image.ts'

/** What a management shows of a cluster, once it has joined one. */
export interface ClusterView {
  /** The values of all members as one. Its `refresh` reads the members. */
  readonly source: SnapshotSource
  /** Returns the series of one member by its slot; `undefined` if there is none. */
  readonly member: (slot: number) => SnapshotSource | undefined
  /** Returns the members as they were last read: this one, and those of other processes and threads. */
  readonly members: () => readonly MemberRecord[]
  /** Applies an operation to all members, this one included. */
  readonly broadcast: (command: ClusterCommand) => void
  /** The slot of this member. */
  readonly slot: number
}

/** An operation that is applied to all members, or to those of some slots. */
export type ClusterCommand =
  | {
      readonly kind: 'log-level'
      readonly logger: string
      /** The new level; `undefined` removes what was set. */
      readonly level: string | undefined
      /** When the level ends, in milliseconds since 1970-01-01T00:00:00Z; `undefined` if it does not. */
      readonly until: number | undefined
      readonly slots?: readonly number[]
    }
  | { readonly kind: 'shutdown'; readonly reason: string; readonly slots?: readonly number[] }

/** Where a cluster attaches to a management: `management.cluster`. */
export interface ClusterHost {
  /** Shows the view of a cluster from now on. Returns a function that ends that. */
  attach(view: ClusterView): () => void
}
