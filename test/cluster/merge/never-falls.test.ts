import fc from 'fast-check'
import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import type { MemberImage, MemberRecord } from '../../../src/cluster/member-image.ts'
import { foldMembers } from '../../../src/cluster/merge/fold-members.ts'
import { createMergedSource, type MergedSource } from '../../../src/cluster/merge/merged-source.ts'
import type { SeriesDefinition } from '../../../src/cluster/series-definition.ts'
import { baseImage, imageOf, memberOf, written } from './member-records.ts'

/** One step of a program: members are numbered in the order in which they join. */
type Step =
  | { readonly does: 'join'; readonly process: number; readonly isNew: boolean }
  | { readonly does: 'count'; readonly member: number; readonly series: number; readonly amount: number }
  | { readonly does: 'die'; readonly member: number }
  | { readonly does: 'dieAsProcess'; readonly member: number }
  | { readonly does: 'fold' }
  | { readonly does: 'readMembers'; readonly reader: number }
  | { readonly does: 'readBase'; readonly reader: number }
  | { readonly does: 'readBoth'; readonly reader: number }

const number = fc.nat({ max: 9 })
const amount = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.double({ min: 1e-6, max: 1e3, noNaN: true }))
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('join' as const), process: fc.nat({ max: 3 }), isNew: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('count' as const), member: number, series: fc.nat({ max: 5 }), amount }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('die' as const), member: number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('dieAsProcess' as const), member: number }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('fold' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('readMembers' as const), reader: fc.nat({ max: 1 }) }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('readBase' as const), reader: fc.nat({ max: 1 }) }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('readBoth' as const), reader: fc.nat({ max: 1 }) }) },
)

/** What a member counts: two counters, a timer with buckets of its version, and a value of its process. */
class Member {
  readonly slot: number
  readonly process: number
  readonly pid: number
  readonly threadId: number
  readonly incarnation: string
  readonly counters = [0, 0]
  readonly bounds: readonly number[]
  total = 0
  buckets: number[]
  isAlive = true
  isProcessAlive = true
  isFolded = false
  readonly #definitions: readonly SeriesDefinition[]

  constructor(number: number, slot: number, process: number, pid: number, threadId: number, isNew: boolean) {
    this.slot = slot
    this.process = process
    this.pid = pid
    this.threadId = threadId
    this.incarnation = `incarnation ${number}`
    this.bounds = isNew ? [1, 10, 100] : [1, 50, 100]
    this.buckets = [0, 0, 0, 0]
    this.#definitions = this.#series(0).map(({ definition }) => definition)
  }

  record(value: number): void {
    this.total += value
    const bound = this.bounds.findIndex((each) => value <= each)
    const at = bound === -1 ? this.bounds.length : bound
    this.buckets[at] = (this.buckets[at] ?? 0) + 1
  }

  #series(cpu: number) {
    const count = this.buckets.reduce((sum, each) => sum + each, 0)
    return [
      written('counter', 'orders', [this.counters[0] ?? 0], { tags: { region: 'eu' } }),
      written('counter', 'orders', [this.counters[1] ?? 0], { tags: { region: 'us' } }),
      written('timer', 'duration', [this.total, 5, count, ...this.buckets], { bounds: this.bounds }),
      written('counter', 'process.cpu.time', [cpu]),
      written('gauge', 'size', [1]),
    ]
  }

  write(cpu: number): MemberRecord {
    const image = imageOf(this.#series(cpu), { generation: this.incarnation })
    const { slot, pid, threadId, isAlive, isProcessAlive, incarnation } = this
    const known: MemberImage = { ...image, definitions: this.#definitions }
    return memberOf(slot, known, { pid, threadId, isAlive, isProcessAlive, incarnation })
  }
}

/** The numbers of a view that may not fall, by name. */
function sums(snapshots: Iterable<MeterSnapshot>): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const snapshot of snapshots) {
    const name = `${snapshot.id.name} ${snapshot.id.tags.map(({ value }) => value).join()}`
    if (snapshot.kind === 'counter') found.set(name, snapshot.value)
    if (snapshot.kind !== 'timer') continue
    found.set(`${name} count`, snapshot.count)
    found.set(`${name} total`, snapshot.total)
    let atMost = 0
    for (const [at, bound] of (snapshot.buckets?.bounds ?? []).entries()) {
      atMost += snapshot.buckets?.counts[at] ?? 0
      found.set(`${name} le ${bound}`, atMost)
    }
  }
  return found
}

/** A process that reads: the members first, then the base, which others may have written in between. */
class Reader {
  readonly source: MergedSource = createMergedSource({ gauges: {}, report: () => {} })
  /** What it has read of members, until it has read the base. */
  members: readonly MemberRecord[] | undefined

  has({ incarnation }: Member): boolean {
    return this.members?.some((each) => each.isAlive && each.identity.incarnation === incarnation) ?? false
  }

  readMembers(world: World): void {
    this.members = world.members.filter(({ isFolded }) => !isFolded).map((member) => world.record(member))
  }

  async readBase(world: World): Promise<ReadonlyMap<string, number>> {
    const { base, contained } = world
    if (this.members === undefined) this.readMembers(world)
    const members = (this.members ?? []).filter(({ identity }) => !contained.has(identity.incarnation))
    await this.source.update(members, base)
    this.members = undefined
    return sums(this.source.snapshot())
  }
}

class World {
  readonly readers = [new Reader(), new Reader()]
  members: Member[] = []
  joined = 0
  pids = [1, 2, 3, 4]
  nextPid = 5
  cpu = new Map<number, number>()
  written = new Map<Member, MemberRecord>()
  base: MemberImage | undefined
  contained = new Set<string>()
  /** What was counted by all members that ever joined. */
  readonly counted = { eu: 0, us: 0, recorded: 0 }

  apply(step: Step): void {
    switch (step.does) {
      case 'join': {
        const pid = this.pids[step.process] ?? 0
        const used = new Set(this.members.filter(({ isFolded }) => !isFolded).map(({ slot }) => slot))
        let slot = 0
        while (used.has(slot)) slot += 1
        const threads = this.members.filter((member) => member.pid === pid).length
        const member = new Member(this.joined, slot, step.process, pid, threads, step.isNew)
        this.joined += 1
        this.members.push(member)
        this.#write(member)
        return
      }
      case 'count': {
        const member = this.#member(step.member)
        if (!member?.isAlive) return
        if (step.series < 2) {
          member.counters[step.series] = (member.counters[step.series] ?? 0) + step.amount
          if (step.series === 0) this.counted.eu += step.amount
          else this.counted.us += step.amount
        } else if (step.series < 5) {
          member.record(step.amount)
          this.counted.recorded += 1
        }
        // All threads of a process read one clock, and the one that writes has the latest.
        this.cpu.set(member.pid, (this.cpu.get(member.pid) ?? 0) + 1)
        for (const each of this.members) if (each.pid === member.pid && each.isAlive) this.#write(each)
        return
      }
      case 'die': {
        const member = this.#member(step.member)
        if (member?.isAlive) this.#end([member])
        return
      }
      case 'dieAsProcess': {
        const pid = this.#member(step.member)?.pid
        const all = this.members.filter((member) => member.pid === pid && member.isAlive)
        if (all.length > 0) this.#end(all)
        return
      }
      case 'fold': {
        // A thread of a process that goes on is folded when nobody reads who has not seen its end: after a second.
        const isFolding = (member: Member) =>
          !member.isProcessAlive || !this.readers.some((reader) => reader.has(member))
        const dead = this.members.filter((member) => !member.isAlive && !member.isFolded && isFolding(member))
        if (dead.length === 0) return
        this.base = baseImage(
          foldMembers(
            this.base,
            dead.map((member) => this.record(member)),
          ),
        )
        for (const member of dead) {
          member.isFolded = true
          this.contained.add(member.incarnation)
        }
        return
      }
      case 'readMembers':
      case 'readBase':
      case 'readBoth':
    }
  }

  record(member: Member): MemberRecord {
    const record = this.written.get(member) as MemberRecord
    return { ...record, isAlive: member.isAlive, isProcessAlive: member.isProcessAlive }
  }

  #member(number: number): Member | undefined {
    const known = this.members.filter(({ isFolded }) => !isFolded)
    return known[number % Math.max(1, known.length)]
  }

  #write(member: Member): void {
    this.written.set(member, member.write(this.cpu.get(member.pid) ?? 0))
  }

  #end(members: readonly Member[]): void {
    for (const member of members) member.isAlive = false
    const pid = members[0]?.pid
    const rest = this.members.filter((member) => member.pid === pid)
    if (rest.some(({ isAlive }) => isAlive)) return
    for (const member of rest) member.isProcessAlive = false
    this.pids = this.pids.map((each) => (each === pid ? this.nextPid++ : each))
  }
}

describe('the merged view', () => {
  it('has what was counted and never falls, while members join, count, end and are folded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), async (steps) => {
        const world = new World()
        for (const process of [0, 0, 1, 1]) world.apply({ does: 'join', process, isNew: false })
        const { readers } = world
        for (const each of steps) {
          world.apply(each)
          if (each.does === 'readMembers' || each.does === 'readBoth') readers[each.reader]?.readMembers(world)
          if (each.does !== 'readBase' && each.does !== 'readBoth') continue
          const reader = readers[each.reader] as Reader
          const before = sums(reader.source.snapshot())
          const now = await reader.readBase(world)
          for (const [name, value] of before) {
            if (now.has(name)) expect(now.get(name), name).toBeGreaterThanOrEqual(value)
            else expect(name).toContain(' le ')
          }
        }
        const latest: ReadonlyMap<string, number>[] = []
        // A reader that has seen all of it, and one that sees it for the first time.
        for (const reader of [readers[0] as Reader, new Reader()]) {
          reader.readMembers(world)
          latest.push(await reader.readBase(world))
        }
        expect(latest[0]).toEqual(latest[1])
        const { eu, us, recorded } = world.counted
        expect(latest[0]?.get('orders eu') ?? 0).toBeCloseTo(eu, 6)
        expect(latest[0]?.get('orders us') ?? 0).toBeCloseTo(us, 6)
        expect(latest[0]?.get('duration  count') ?? 0).toBe(recorded)
        expect(latest[0]?.get('process.cpu.time ')).toBe([...world.cpu.values()].reduce((sum, each) => sum + each, 0))
      }),
      { numRuns: 150 },
    )
  })
})
