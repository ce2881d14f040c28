import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { ClusterCommand } from '../cluster-host.ts'
import type {
  MemberExemplar,
  MemberIdentity,
  MemberImage,
  MemberRecord,
  MemberState,
  MergeDead,
} from '../member-image.ts'
import type { SeriesDefinition } from '../series-definition.ts'
import type { ReadingDepth } from './file-reader.ts'

export interface GroupOptions {
  /** The directory of the group. It is created with mode 0700, its parents too. */
  readonly directory: string
  readonly clock: Clock
  /** Called with what goes wrong beside a call: leftovers that cannot be removed, an unreadable command file. */
  readonly report: Report
  /** How long a thread of a live process must have ended before its values are merged into the base. @default 1 */
  readonly settleSeconds?: number
}

/** The files that the members of a group write and read. */
export interface Group {
  readonly directory: string
  /**
   * Creates the file of a member, with the lowest slot that is free. A group without live members begins anew;
   * otherwise dead members are folded first. Throws if the directory cannot be used.
   */
  join(options: JoinOptions): MemberFile
  /** Reads all members and the base. Only what has changed is read again. Throws nothing. */
  read(): GroupContent
  /** Like `read`; yields between pieces of work of about a millisecond. */
  reading(depth?: ReadingDepth): Generator<undefined, GroupContent>
  /**
   * Merges members that have ended into the base, and removes their files. Returns their number; 0 also if another
   * member holds the lock. Throws if the base cannot be written: nothing is lost then.
   */
  foldDead(merge: MergeDead): number
  readonly commands: Commands
}

export interface JoinOptions {
  /** At most 1,024 characters are kept. */
  readonly application: string
  /** At most 1,024 characters are kept. */
  readonly version: string | undefined
  readonly state: MemberState
  /** Merges the members that have ended. */
  readonly merge: MergeDead
}

/** What the members have written. */
export interface GroupContent {
  /** Sorted by slot. Without members whose values the base contains. */
  readonly members: readonly MemberRecord[]
  /** The values of members that have ended; `undefined` if there are none. */
  readonly base: MemberImage | undefined
  /** Files that could not be read. */
  readonly refused: readonly RefusedFile[]
}

/** A file of a group that is not merged. */
export interface RefusedFile {
  /** Its name in the directory. */
  readonly file: string
  readonly reason: string
}

/** The file of this member. A method that throws can be called again: nothing that was written is lost. */
export interface MemberFile {
  readonly identity: MemberIdentity
  /** The values of all series, to be set before `commit`. `define` and `commit` may replace the array. */
  readonly cells: Float64Array
  /** The latest exemplars, to be set before `commit`; the first 1,024 are written. */
  exemplars: readonly MemberExemplar[]
  /**
   * Adds a series, whose cells are 0, and returns its index, which stays the same until it is removed. Returns
   * `undefined` if the file cannot hold it: 1,000,000 series, 65,536 characters per string, 256 MB per file.
   */
  define(definition: SeriesDefinition): number | undefined
  /** Removes a series. Its index may be used again after the next `commit`. */
  remove(index: number): void
  /** Returns the place of the first cell of a series. May change with each `commit`. */
  placeOf(index: number): number
  /** Writes what has changed since the last call; nothing if nothing has. Throws if it cannot be written. */
  commit(state: MemberState): void
  /** Shows that the member is alive: writes the time if nothing was written for 1 s. Throws as `commit` does. */
  heartbeat(): void
  /** Returns what was committed last. Never changes afterwards. */
  image(): MemberImage
  /** Commits for the last time, as final, and closes the file, which another member folds. */
  leave(state: MemberState): void
}

/** Operations for all members of the group. */
export interface Commands {
  /** Sends a command to all members. Throws if it is invalid or cannot be written. */
  append(command: ClusterCommand): void
  /**
   * Returns the commands since the last call, in order. The first call after `join` returns the log levels that are
   * set for all members; levels that have ended are left out. Throws nothing.
   */
  poll(): readonly ClusterCommand[]
}
