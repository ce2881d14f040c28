import type { Clock } from '../../base/clock.ts'
import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import type { CacheFacts, DependenciesDocument, DependencyFacts, PoolFacts, TaskFacts } from '../documents.ts'

/** The targets of one kind; the calls to others are counted together. */
const maxTargets = 300
const maxTargetLength = 300

/** The pools, tasks and caches that are listed, each. */
const maxListed = 300

const otherTargets = '(others)'

/** A meter of calls to another system: a timer, and how its tags name the target. */
interface CallMeter {
  readonly kind: DependencyFacts['kind']
  readonly targetOf: (tags: Tags) => string | undefined
}

type Tags = Readonly<Record<string, string>>

const database: CallMeter = {
  kind: 'database',
  targetOf: (tags) => {
    const system = tags['system'] ?? tags['db.system.name'] ?? 'database'
    const name = tags['namespace'] ?? tags['db.namespace']
    return name === undefined || name === 'none' ? system : `${system}/${name}`
  },
}

const messaging: CallMeter = {
  kind: 'messaging',
  targetOf: (tags) => {
    const system = tags['system'] ?? tags['messaging.system'] ?? 'broker'
    const destination = tags['destination'] ?? tags['messaging.destination.name']
    return destination === undefined || destination === 'none' ? system : `${system}/${destination}`
  },
}

/** By name, of both conventions. */
const callMeters: Readonly<Record<string, CallMeter>> = {
  'http.client.requests': { kind: 'http', targetOf: (tags) => tags['client.name'] },
  'http.client.request.duration': { kind: 'http', targetOf: (tags) => tags['server.address'] },
  'db.client.operation.duration': database,
  'messaging.client.operation.duration': messaging,
}

/** Calls to another system since the start. */
interface Calls {
  calls: number
  errors: number
  total: number
  maximum: number
}

/** The calls until a monotonic time. */
interface Reading {
  readonly at: number
  readonly calls: ReadonlyMap<string, Calls>
}

/** Reads what the application depends on from its meters; keeps what they were a minute ago, for rates. */
export class Dependencies {
  readonly #source: () => SnapshotSource
  readonly #clock: Clock
  /** What the meters were one to two minutes ago, and at most one minute ago. */
  #baseline: Reading
  #later: Reading

  constructor(source: () => SnapshotSource, clock: Clock) {
    this.#source = source
    this.#clock = clock
    this.#baseline = { at: clock.monotonicTime(), calls: new Map() }
    this.#later = this.#baseline
  }

  /** Called each minute. */
  turn(): void {
    this.#baseline = this.#later
    this.#later = { at: this.#clock.monotonicTime(), calls: this.calls() }
  }

  read(): Omit<DependenciesDocument, 'now'> {
    const [pools, tasks, caches] = [this.pools(), this.#tasks(), this.#caches()]
    const omitted = [pools, tasks, caches].reduce((sum, { length }) => sum + Math.max(0, length - maxListed), 0)
    return {
      outgoing: this.#outgoing(),
      pools: pools.slice(0, maxListed),
      tasks: tasks.slice(0, maxListed),
      caches: caches.slice(0, maxListed),
      omitted,
    }
  }

  pools(): readonly PoolFacts[] {
    const pools = new Map<string, { used: number; idle: number; maximum: number | undefined; waiting: number }>()
    for (const [name, member] of poolMeters) {
      for (const snapshot of this.#source().snapshot(name)) {
        const tags = tagsOf(snapshot)
        const id = tags['pool'] ?? tags['db.client.connection.pool.name']
        if (id === undefined || snapshot.kind !== 'gauge' || !Number.isFinite(snapshot.value)) continue
        const pool = pools.get(id) ?? { used: 0, idle: 0, maximum: undefined, waiting: 0 }
        const own = member === 'state' ? (tags['db.client.connection.state'] === 'used' ? 'used' : 'idle') : member
        pool[own] = snapshot.value
        pools.set(id, pool)
      }
    }
    return [...pools].map(([name, pool]) => ({ name, ...pool }))
  }

  /** Returns the calls since the start by kind and target, such as `http payments.internal`. */
  calls(): ReadonlyMap<string, Calls> {
    const found = new Map<string, Calls>()
    for (const [name, { kind, targetOf }] of Object.entries(callMeters)) {
      let targets = 0
      for (const snapshot of this.#source().snapshot(name)) {
        if (snapshot.kind !== 'timer') continue
        const tags = tagsOf(snapshot)
        const own = `${kind} ${(targetOf(tags) ?? 'unknown').slice(0, maxTargetLength)}`
        const key = found.has(own) || targets < maxTargets ? own : `${kind} ${otherTargets}`
        if (!found.has(key)) targets += 1
        const calls = found.get(key) ?? { calls: 0, errors: 0, total: 0, maximum: 0 }
        add(calls, snapshot.count, isError(tags) ? snapshot.count : 0, snapshot.total, snapshot.max)
        found.set(key, calls)
      }
    }
    return found
  }

  #outgoing(): readonly DependencyFacts[] {
    const before = this.#baseline
    const seconds = Math.max(1, (this.#clock.monotonicTime() - before.at) / 1_000)
    return [...this.calls()].map(([key, { calls, errors, total, maximum }]) => {
      const [kind = 'http', target = ''] = splitKey(key)
      const earlier = before.calls.get(key)
      return {
        // Safe: the keys are made of kinds.
        kind: kind as DependencyFacts['kind'],
        ...{ target, calls, errors },
        meanSeconds: calls === 0 ? null : total / calls,
        maximumSeconds: calls === 0 ? null : maximum,
        rate: Math.max(0, calls - (earlier?.calls ?? 0)) / seconds,
        errorRate: Math.max(0, errors - (earlier?.errors ?? 0)) / seconds,
      }
    })
  }

  #tasks(): readonly TaskFacts[] {
    const tasks = new Map<string, Calls>()
    for (const snapshot of this.#source().snapshot('tasks.scheduled.execution')) {
      if (snapshot.kind !== 'timer') continue
      const tags = tagsOf(snapshot)
      const name = [tags['code.namespace'], tags['code.function']].filter((part) => part).join('.')
      const runs = tasks.get(name) ?? { calls: 0, errors: 0, total: 0, maximum: 0 }
      add(runs, snapshot.count, isError(tags) ? snapshot.count : 0, snapshot.total, snapshot.max)
      tasks.set(name, runs)
    }
    return [...tasks].map(([name, { calls, errors, total, maximum }]) => ({
      ...{ name, runs: calls, failures: errors },
      meanSeconds: calls === 0 ? null : total / calls,
      maximumSeconds: calls === 0 ? null : maximum,
    }))
  }

  #caches(): readonly CacheFacts[] {
    const caches = new Map<string, { hits: number; misses: number; size?: number }>()
    const of = (name: string) => {
      const cache = caches.get(name) ?? { hits: 0, misses: 0 }
      caches.set(name, cache)
      return cache
    }
    for (const snapshot of this.#source().snapshot('cache.gets')) {
      const { cache = 'cache', result } = tagsOf(snapshot)
      if (snapshot.kind === 'counter') of(cache)[result === 'hit' ? 'hits' : 'misses'] += snapshot.value
    }
    for (const snapshot of this.#source().snapshot('cache.size')) {
      const { cache = 'cache' } = tagsOf(snapshot)
      if (snapshot.kind === 'gauge' && Number.isFinite(snapshot.value)) of(cache).size = snapshot.value
    }
    return [...caches].map(([name, cache]) => ({ name, ...cache }))
  }
}

/** The gauges of pools, of both conventions, and what each is. */
const poolMeters: readonly (readonly [name: string, member: 'used' | 'idle' | 'maximum' | 'waiting' | 'state'])[] = [
  ['hikaricp.connections.active', 'used'],
  ['hikaricp.connections.idle', 'idle'],
  ['hikaricp.connections.max', 'maximum'],
  ['hikaricp.connections.pending', 'waiting'],
  ['db.client.connection.count', 'state'],
  ['db.client.connection.limit', 'maximum'],
  ['db.client.connection.pending_requests', 'waiting'],
]

function add(calls: Calls, count: number, errors: number, total: number, maximum: number): void {
  calls.calls += count
  calls.errors += errors
  calls.total += total
  calls.maximum = Math.max(calls.maximum, Number.isFinite(maximum) ? maximum : 0)
}

function isError(tags: Tags): boolean {
  const error = tags['error'] ?? tags['error.type'] ?? 'none'
  return error !== 'none' || tags['outcome'] === 'SERVER_ERROR'
}

function tagsOf({ id }: MeterSnapshot): Tags {
  return Object.fromEntries(id.tags.map(({ key, value }) => [key, value]))
}

function splitKey(key: string): readonly string[] {
  const space = key.indexOf(' ')
  return [key.slice(0, space), key.slice(space + 1)]
}
