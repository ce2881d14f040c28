import type { MemberImage, MemberRecord } from '../member-image.ts'
import type { PlanState } from './member-plan.ts'
import { type ProcessStages, processKey } from './process-stage.ts'

/** The key of the base among the incarnations of members, which are never empty. */
const baseKey = ''

/** An image, and what its series are looked up by. */
export interface MergeInput {
  readonly key: string
  readonly state: PlanState
  readonly image: MemberImage
  /** Seconds since the latest heartbeat. */
  readonly age: number
}

/** Returns the base and the members, in the order in which they joined: the first one gives a meter its description. */
export function mergeInputs(
  members: readonly MemberRecord[],
  base: MemberImage | undefined,
  stages: ProcessStages,
): readonly MergeInput[] {
  const slots = processSlots(members)
  // A copy of a member's file is not another member.
  const inputs = [...new Map(members.map((member) => [member.identity.incarnation, member])).values()]
    .toSorted(
      (one, other) => one.identity.joinedAt - other.identity.joinedAt || one.identity.slot - other.identity.slot,
    )
    .map(({ identity, isAlive, image, age }): MergeInput => {
      const process = processKey(identity)
      const { slot, incarnation: key } = identity
      const stage = stages.of(process)
      const stageSlot = slots.get(process) ?? slot
      return { key, image, age, state: { generation: image.generation, isLive: isAlive, slot, stage, stageSlot } }
    })
  if (base === undefined) return inputs
  const { generation } = base
  const state: PlanState = { generation, isLive: false, slot: -1, stage: undefined, stageSlot: -1 }
  return [{ key: baseKey, image: base, age: Number.POSITIVE_INFINITY, state }, ...inputs]
}

/** Returns the slot of each process: that of its main thread, or the lowest of its live threads. */
function processSlots(members: readonly MemberRecord[]): ReadonlyMap<string, number> {
  const slots = new Map<string, number>()
  const ranks = new Map<string, number>()
  for (const { identity, isAlive } of members) {
    if (!isAlive) continue
    const process = processKey(identity)
    const rank = identity.threadId === 0 ? -1 : identity.slot
    if (rank >= (ranks.get(process) ?? Number.POSITIVE_INFINITY)) continue
    ranks.set(process, rank)
    slots.set(process, identity.slot)
  }
  return slots
}
