import type { GaugeRule } from '../series-definition.ts'

/** What a value describes. One of a process is read once per process, however many of its threads are members. */
export type MergeScope = 'thread' | 'process' | 'machine'

/** How the series of one name are merged. */
export interface MergeRule {
  readonly scope: MergeScope
  /** Of gauges; all other kinds have one rule each. */
  readonly gauge: GaugeRule
}

/** Meters of upkeep that are not merged as the others of their kind. */
interface NamedRule extends MergeRule {
  /** Names; `*` stands for the prefix `jvm.` or `nodejs.` of `RuntimeMetersOptions`. */
  readonly names: readonly string[]
}

const everyThread: MergeRule = { scope: 'thread', gauge: 'each' }

/** The rules of upkeep's own meters. What is not listed is merged by its kind, gauges by `each`. */
export const namedRules: readonly NamedRule[] = [
  {
    scope: 'thread',
    gauge: 'each',
    names: [
      '*gc.live.data.size',
      '*gc.max.data.size',
      '*gc.overhead',
      '*memory.committed',
      '*memory.max',
      '*memory.usage.after.gc',
      '*memory.used',
      'application.ready.time',
      'application.started.time',
      'nodejs.active.handles',
      'nodejs.eventloop.delay.max',
      'nodejs.eventloop.delay.mean',
      'nodejs.eventloop.delay.min',
      'nodejs.eventloop.delay.p50',
      'nodejs.eventloop.delay.p90',
      'nodejs.eventloop.delay.p99',
      'nodejs.eventloop.delay.stddev',
      'nodejs.eventloop.utilization',
      'upkeep.scrape.series',
      'v8js.memory.heap.space.available_size',
      'v8js.memory.heap.space.physical_size',
      'v8js.memory.heap.space.size',
      'v8js.memory.heap.used',
      'v8js.resource.active',
    ],
  },
  {
    scope: 'thread',
    gauge: 'sum',
    names: [
      'cache.size',
      'db.client.connection.count',
      'db.client.connection.idle.min',
      'db.client.connection.limit',
      'db.client.connection.pending_requests',
      'executor.active',
      'executor.pool.core',
      'executor.pool.max',
      'executor.pool.size',
      'executor.queue.remaining',
      'executor.queued',
      'hikaricp.connections',
      'hikaricp.connections.active',
      'hikaricp.connections.idle',
      'hikaricp.connections.max',
      'hikaricp.connections.min',
      'hikaricp.connections.pending',
      'http.server.active_requests',
      'jdbc.connections.active',
      'jdbc.connections.idle',
      'jdbc.connections.max',
      'jdbc.connections.min',
      'otlp.held.size',
      'otlp.queue.size',
    ],
  },
  { scope: 'thread', gauge: 'min', names: ['ssl.chain.expiry'] },
  {
    scope: 'process',
    gauge: 'each',
    names: [
      '*threads.daemon',
      '*threads.live',
      '*threads.peak',
      '*threads.started',
      '*threads.states',
      'process.cpu.time',
      'process.cpu.usage',
      'process.cpu.utilization',
      'process.files.max',
      'process.files.open',
      'process.memory.rss',
      'process.memory.swap',
      'process.memory.usage',
      'process.memory.vss',
      'process.start.time',
      'process.thread.count',
      'process.threads',
      'process.unix.file_descriptor.count',
      'process.uptime',
    ],
  },
  { scope: 'process', gauge: 'max', names: ['*info'] },
  {
    scope: 'machine',
    gauge: 'last',
    names: [
      // Each member reads the same queue.
      'bullmq.queue.jobs',
      'bullmq.queue.oldest.age',
      'container.memory.events',
      'container.memory.limit',
      'container.memory.pressure',
      'container.memory.used',
      'disk.free',
      'disk.total',
      'system.cpu.count',
      'system.cpu.logical.count',
      'system.cpu.usage',
      'system.cpu.utilization',
      'system.load.average.1m',
      // Each member sees the same files.
      'upkeep.cluster.age',
      'upkeep.cluster.members',
      'upkeep.cluster.refused',
      'upkeep.cluster.stale',
    ],
  },
]

const ruleOfName: ReadonlyMap<string, MergeRule> = /* @__PURE__ */ new Map(
  namedRules.flatMap((rule) =>
    rule.names
      .flatMap(withPrefixes)
      .map((name): [string, MergeRule] => [name, { scope: rule.scope, gauge: rule.gauge }]),
  ),
)

function withPrefixes(name: string): readonly string[] {
  return name.startsWith('*') ? [`jvm.${name.slice(1)}`, `nodejs.${name.slice(1)}`] : [name]
}

/**
 * Returns how the series of a name are merged. A declared rule, or else that of the member, replaces that of a listed
 * gauge, but not what its value describes: the value of a process is still read once. A machine has one value, so that
 * `sum` and `each` are `last`.
 */
export function mergeRuleOf(
  name: string,
  gauges: Readonly<Record<string, GaugeRule>>,
  ofMember?: GaugeRule,
): MergeRule {
  const { scope, gauge } = ruleOfName.get(name) ?? everyThread
  const declared = (Object.hasOwn(gauges, name) ? gauges[name] : ofMember) ?? gauge
  const isOne = scope === 'machine' && (declared === 'sum' || declared === 'each')
  return { scope, gauge: isOne ? 'last' : declared }
}

/** Whether values cannot be added because of their units. A meter without a unit has that of the others. */
export function isOtherUnit(one: string | undefined, other: string | undefined): boolean {
  return one !== other && one !== undefined && other !== undefined
}
