import { failure } from '../base/errors.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { MemberRecord } from './member-image.ts'

/** What a management shows of a cluster, once it has joined one. */
export interface ClusterView {
  /** The values of all members as one. Its `refresh` reads the members. */
  readonly source: SnapshotSource
  /** Returns the series of one member by its slot, as they were last read; `undefined` if it does not exist. */
  readonly member: (slot: number) => SnapshotSource | undefined
  /**
   * Returns the members as they were at most a second ago: this one, and those of other processes and threads. The same
   * array while they have not been read again.
   */
  readonly members: () => readonly MemberRecord[]
  /** Returns the number of files of the group that are not merged, because they cannot be read. */
  readonly refused: () => number
  /** Applies an operation to all members: to this one by `ClusterHost.applyCommand`, before it returns. */
  readonly broadcast: (command: ClusterCommand) => void
  /**
   * Sends a request to another member, which responds to it by `ClusterHost.respond`. Waits for the response so many
   * milliseconds. Rejects if it cannot be written.
   */
  readonly request: (slot: number, request: string, milliseconds: number) => Promise<MemberResponse>
  /** The slot of this member. */
  readonly slot: number
  /** When the cluster is ready. @default members are shown, and readiness is that of each member */
  readonly health?: ClusterHealthOptions | undefined
  /** Leaves the cluster: called when the management is closed. */
  readonly leave?: (() => void) | undefined
}

/** The response of a member; or whether it has ended, or has not responded in time. */
export type MemberResponse = { readonly text: string } | 'gone' | 'timeout'

/** When a cluster is ready for traffic: as soon as any member is, all are, or a number of them. */
export type ReadinessRule = 'any' | 'all' | { readonly atLeast: number }

/** How the members of a cluster determine health. */
export interface ClusterHealthOptions {
  /**
   * When the group `readiness` is `UP`, whichever member responds: for members that share a port. @default the
   * readiness of the member that responds
   */
  readonly ready?: ReadinessRule | undefined
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
  | {
      /** Lets the members look for requests of others. */
      readonly kind: 'requests'
      /** Until when, in milliseconds since 1970-01-01T00:00:00Z; for a minute at most. */
      readonly until: number
      readonly slots?: readonly number[]
    }

/** Where a cluster attaches to a management: `management.cluster`. */
export interface ClusterHost {
  /**
   * Shows the view of a cluster from now on. Returns a function that ends that.
   *
   * @throws Error while another view is attached.
   */
  attach(view: ClusterView): () => void
  /**
   * Applies an operation that a member has sent to this one: changes the level of a logger, or starts the shutdown.
   * Ignores one for other slots, or whose time has passed. Never throws; reports what cannot be applied.
   */
  applyCommand(command: ClusterCommand): void
  /** Returns the response to a request of another member; an empty string if this one responds to none. Never rejects. */
  readonly respond: (request: string) => Promise<string>
}

/** A host whose view can be read. */
export interface AttachedCluster extends ClusterHost {
  readonly view: ClusterView | undefined
  /** Responds to the requests of other members from now on. The function must not reject. */
  onRequest(respond: (request: string) => Promise<string>): void
}

/** Creates the host of a management. Until a view is attached it has none. */
export function createClusterHost(
  applyCommand: (command: ClusterCommand) => void,
  /** Called when a view is attached, and when that ends. */
  onChange: () => void,
): AttachedCluster {
  let attached: { readonly view: ClusterView } | undefined
  let responder = async (_request: string): Promise<string> => ''
  return {
    get view() {
      return attached?.view
    },
    attach(view) {
      if (attached !== undefined)
        throw failure('UPKEEP_ESTATE', 'joinCluster: the management has already joined a cluster')
      const attachment = { view }
      attached = attachment
      onChange()
      return () => {
        if (attached !== attachment) return
        attached = undefined
        onChange()
      }
    },
    applyCommand,
    respond: (request) => responder(request),
    onRequest(respond) {
      responder = respond
    },
  }
}
