import type { Exemplar } from '../../metrics/snapshot.ts'
import type { MemberImage, MemberRecord } from '../member-image.ts'
import { MemberPlan, type PlanState } from './member-plan.ts'
import { addExemplars, ExponentialSums, type MergedDetails } from './merge-details.ts'
import type { MergeTable } from './merge-table.ts'
import type { MergedSeries } from './merged-series.ts'
import { ProcessStages, processKey } from './process-stage.ts'

/** So many series are looked up, compiled or compared in less than 0.5 ms. */
const [lookUpsAtOnce, compilesAtOnce, comparisonsAtOnce] = [128, 512, 8_192]

/** Merges images into the cells of a table. */
export class MergeUpdates {
  details: MergedDetails = { exemplars: new Map(), exponentials: new Map() }
  invalid = 0
  readonly #table: MergeTable
  /** By incarnation, in the order in which their series were looked up. */
  #plans = new Map<string, MemberPlan>()
  readonly #stages = new ProcessStages()

  constructor(table: MergeTable) {
    this.#table = table
  }

  get conflicts(): number {
    let conflicts = 0
    for (const { conflicting } of this.#plans.values()) conflicts += conflicting.size
    return conflicts
  }

  /** Yields after each small piece of work, so that it can be spread. */
  *run(members: readonly MemberRecord[], base: MemberImage | undefined): Generator<undefined, void> {
    this.#stages.begin()
    const inputs = mergeInputs(members, base, this.#stages)
    yield* this.#lookUp(inputs)
    yield* this.#table.settle()
    yield* this.#compile()
    yield* this.#merge(inputs)
  }

  *#lookUp(inputs: readonly MergeInput[]): Generator<undefined, void> {
    const before = this.#plans
    this.#plans = new Map()
    const replaced: MemberPlan[] = []
    for (const { key, state } of inputs) {
      const known = before.get(key)
      const isSame = known !== undefined && isEqual(known.state, state)
      this.#plans.set(key, isSame ? known : new MemberPlan(state))
      if (isSame) before.delete(key)
    }
    replaced.push(...before.values())
    for (const plan of replaced) {
      for (const index of plan.definitions.keys()) {
        this.#table.unmap(plan, index)
        if (index % lookUpsAtOnce === 0) yield
      }
    }
    const { hasRoom } = this.#table
    for (const { key, image } of inputs) {
      const plan = this.#plans.get(key)
      if (plan !== undefined) yield* this.#follow(plan, image, hasRoom)
    }
  }

  /** Looks up what has changed in the definitions of a member. */
  *#follow(plan: MemberPlan, image: MemberImage, hasRoom: boolean): Generator<undefined, void> {
    const { definitions, places } = image
    const end = Math.max(definitions.length, plan.definitions.length)
    const leftOut = hasRoom ? [...plan.conflicting] : []
    for (const index of leftOut) this.#table.unmap(plan, index)
    if (leftOut.length > 0) plan.startOver()
    let changed = 0
    for (let index = 0; index < end; index++) {
      if (index % comparisonsAtOnce === 0) yield
      const definition = definitions[index]
      const place = places[index] ?? -1
      if (definition === plan.definitions[index] && (definition === undefined || place === plan.places[index])) continue
      if (index < plan.compiled) plan.startOver()
      if (plan.definitions[index] !== undefined) this.#table.unmap(plan, index)
      if (definition !== undefined) this.#table.map(plan, index, definition, place)
      changed += 1
      if (changed % lookUpsAtOnce === 0) yield
    }
    plan.definitions.length = definitions.length
  }

  *#compile(): Generator<undefined, void> {
    for (const plan of this.#plans.values()) {
      if (this.#table.isMoved) plan.startOver()
      while (plan.compiled < plan.definitions.length) {
        plan.compile(plan.compiled)
        plan.compiled += 1
        if (plan.compiled % compilesAtOnce === 0) yield
      }
    }
    for (const stage of this.#stages.all()) stage.compile()
  }

  *#merge(inputs: readonly MergeInput[]): Generator<undefined, void> {
    const sums = this.#table.cells.begin()
    const exponentials = new ExponentialSums()
    const exemplars = new Map<MergedSeries, (Exemplar | undefined)[]>()
    let invalid = 0
    // The latest comes last: of gauges with the rule `last` its value counts.
    for (const { key, image } of inputs.toSorted((one, other) => other.age - one.age)) {
      const plan = this.#plans.get(key)
      if (plan === undefined) continue
      invalid += yield* plan.program.run(image.cells, sums)
      for (const [at, index] of plan.exponential.entries()) {
        exponentials.add(plan, index, image.cells)
        if (at % lookUpsAtOnce === 0) yield
      }
      addExemplars(exemplars, plan, image)
    }
    for (const { program } of this.#stages.all()) yield* program.run(sums.high, sums)
    this.details = { exemplars, exponentials: exponentials.all() }
    this.invalid = invalid
    yield* this.#table.commit()
  }
}

function isEqual(one: PlanState, other: PlanState): boolean {
  return (
    one.generation === other.generation &&
    one.isLive === other.isLive &&
    one.slot === other.slot &&
    one.stage === other.stage &&
    one.stageSlot === other.stageSlot
  )
}

/** The key of the base among the incarnations of members, which are never empty. */
const baseKey = ''

/** An image, and what its series are looked up by. */
interface MergeInput {
  readonly key: string
  readonly state: PlanState
  readonly image: MemberImage
  /** Seconds since the latest heartbeat. */
  readonly age: number
}

/** Returns the base and the members, in the order in which they joined: the first one gives a meter its description. */
function mergeInputs(
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
