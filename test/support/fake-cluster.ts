import type { Management } from 'upkeep'
import { createMeterRegistry, type MeterRegistry, type SnapshotSource } from 'upkeep/metrics'
import type { ClusterCommand, ClusterView } from '../../src/cluster/cluster-host.ts'
import type { MemberRecord, MemberState } from '../../src/cluster/member-image.ts'

/** A cluster whose members and values the test sets. */
export interface FakeCluster {
  readonly view: ClusterView
  /** The values of all members as one. */
  readonly merged: MeterRegistry
  /** Adds a member, or changes what is known of it. Returns its meters. */
  readonly set: (slot: number, member?: FakeMember) => MeterRegistry
  readonly remove: (slot: number) => void
  /** What was sent to the members, in order. */
  readonly commands: readonly ClusterCommand[]
  /** How often the members were read. */
  readonly refreshes: () => number
  readonly detach: () => void
}

interface FakeMember extends Partial<MemberState> {
  readonly isAlive?: boolean
  readonly age?: number
}

/** Attaches a cluster to a management, which is the member 0 of 0, 1 and 2. */
export function attachFakeCluster(management: Management, options: Partial<ClusterView> = {}): FakeCluster {
  const registries = new Map<number, MeterRegistry>()
  const records = new Map<number, MemberRecord>()
  const merged = createMeterRegistry()
  const commands: ClusterCommand[] = []
  let refreshes = 0
  let members: readonly MemberRecord[] = []
  const source: SnapshotSource = {
    names: () => merged.names(),
    snapshot: (name) => merged.snapshot(name),
    slices: (size) => merged.slices(size),
    async refresh() {
      refreshes += 1
    },
  }
  const read = () => {
    members = [...records.values()].sort((a, b) => a.identity.slot - b.identity.slot)
  }
  const set = (slot: number, member: FakeMember = {}): MeterRegistry => {
    const registry = registries.get(slot) ?? createMeterRegistry()
    registries.set(slot, registry)
    records.set(slot, recordOf(slot, member))
    read()
    return registry
  }
  const view: ClusterView = {
    source,
    member: (slot) => registries.get(slot),
    members: () => members,
    refused: () => 0,
    broadcast(command) {
      commands.push(command)
      management.cluster.applyCommand(command)
    },
    request: async () => 'timeout',
    slot: 0,
    ...options,
  }
  for (const slot of [0, 1, 2]) set(slot)
  return {
    view,
    merged,
    set,
    remove(slot) {
      registries.delete(slot)
      records.delete(slot)
      read()
    },
    commands,
    refreshes: () => refreshes,
    detach: management.cluster.attach(view),
  }
}

function recordOf(slot: number, { isAlive = true, age = 0.25, ...state }: FakeMember): MemberRecord {
  return {
    identity: {
      ...{ slot, incarnation: `incarnation ${slot}`, pid: 1_000 + slot, processStart: '1', parent: 1, threadId: 0 },
      ...{ systemThread: undefined, joinedAt: 0, application: 'orders', version: '1.4.2' },
    },
    state: { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false, ...state },
    image: {
      ...{ definitions: [], places: [], cells: new Float64Array(), exemplars: [], generation: `generation ${slot}` },
    },
    ...{ isAlive, isProcessAlive: isAlive, age },
  }
}
