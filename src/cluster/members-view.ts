import { inTurns } from '../base/timers.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { ReadingDepth } from './files/file-reader.ts'
import type { Group } from './files/group-files.ts'
import type { GroupContent, RefusedFile } from './files/group-reader.ts'
import type { MemberRecord } from './member-image.ts'
import { createMemberSource } from './merge/member-source.ts'
import type { MergedSource } from './merge/merged-source.ts'

interface MembersViewParts {
  readonly group: Group
  readonly merged: MergedSource
  /** Writes the values of this member, before those of all are read. */
  readonly publish: () => Promise<void>
  /** The values of this member alone, and whether nothing else is to be shown. */
  readonly local: SnapshotSource
  readonly isAlone: (content: GroupContent) => boolean
  readonly failed: (error: unknown) => void
}

/** The members of a group as they were last read. */
interface MembersView {
  /** The values of all members. Its `refresh` publishes and reads them; until then it shows the moment before. */
  readonly source: SnapshotSource
  readonly members: () => readonly MemberRecord[]
  readonly refused: () => readonly RefusedFile[]
  readonly member: (slot: number) => SnapshotSource | undefined
  /** Reads which members there are and their states; values only of those that are new. */
  readonly look: () => Promise<GroupContent>
}

/** Creates the view of a group's members. Nothing is read before the first `refresh` or `look`. */
export function createMembersView({ group, merged, publish, local, isAlone, failed }: MembersViewParts): MembersView {
  let content: GroupContent = { members: [], base: undefined, refused: [] }
  let current = local
  let waiting: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()

  const read = async (depth: ReadingDepth): Promise<GroupContent> => {
    content = await inTurns(group.reading(depth))
    return content
  }

  const update = async (): Promise<void> => {
    await publish()
    const latest = await read('values')
    if (isAlone(latest)) {
      current = local
      return
    }
    await merged.update(latest.members, latest.base)
    current = merged
  }

  /**
   * Reads anew, after the reading that is active: another member may meanwhile have shown what is newer. Callers that
   * wait share one reading.
   */
  const refresh = (): Promise<void> => {
    waiting ??= last.then(() => {
      waiting = undefined
      last = update().catch(failed)
      return last
    })
    return waiting
  }

  return {
    source: {
      names: () => current.names(),
      snapshot: (name) => current.snapshot(name),
      slices: (size) => current.slices(size),
      refresh,
    },
    members: () => content.members,
    refused: () => content.refused,
    member(slot) {
      const record = content.members.find(({ identity, isAlive }) => identity.slot === slot && isAlive)
      return record && createMemberSource(record.image)
    },
    look: () => read('state'),
  }
}
