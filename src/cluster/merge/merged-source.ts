import type { Report } from '../../base/report.ts'
import type { MeterId, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import type { MemberImage, MemberRecord } from '../member-image.ts'
import { createMemberSource } from './member-source.ts'
import { type GaugeRule, mergeRuleOf } from './merge-rules.ts'

export interface MergedSourceOptions {
  /** How gauges are merged, by name. @default upkeep's own by the table, all others `each` */
  readonly gauges: Readonly<Record<string, GaugeRule>>
  /** The maximum number of series per meter of all members together, 1 or more. @default 1000 */
  readonly maximumSeriesPerMeter?: number
  /** Called once per meter that has too many series, or that members define differently. */
  readonly report: Report
}

/** The values of several members as one. */
export interface MergedSource extends SnapshotSource {
  /**
   * Merges the values of members and of those that ended before them; all reading shows this moment as soon as the
   * promise resolves, and the moment before until then. The images must not change meanwhile. Overlapping calls are
   * done one after the other. Never rejects.
   */
  update(members: readonly MemberRecord[], base: MemberImage | undefined): Promise<void>
  /** Series of members that are described differently by others, or left out because of another kind or unit. */
  readonly conflicts: number
  /** Series beyond the maximum of their meter. */
  readonly overflowed: number
  /** Values that were left out of the last update because they cannot be right: NaN, negative, infinite. */
  readonly invalid: number
}

export function createMergedSource(options: MergedSourceOptions): MergedSource {
  const ids = new Map<string, MeterId>()
  let series: readonly MeterSnapshot[] = []
  const names = () => [...new Set(series.map(({ id }) => id.name))].sort()
  function* snapshot(name?: string): Generator<MeterSnapshot> {
    for (const each of name === undefined ? names() : [name]) yield* series.filter(({ id }) => id.name === each)
  }
  return {
    conflicts: 0,
    overflowed: 0,
    invalid: 0,
    async update(members, base) {
      const merged = new Map<string, MeterSnapshot>()
      const add = (snapshot: MeterSnapshot, slot: number | undefined) => {
        const { kind, id } = snapshot
        const { gauge, scope } = mergeRuleOf(id.name, options.gauges)
        const each = kind === 'gauge' && gauge === 'each' && scope !== 'machine'
        const tags = each ? [...id.tags, { key: 'member', value: `${slot}` }] : id.tags
        const key = JSON.stringify([kind, id.name, tags])
        const known = ids.get(key) ?? { ...idOf(id), tags }
        ids.set(key, known)
        const before = merged.get(key)
        merged.set(key, { ...(before === undefined ? snapshot : mergeTwo(before, snapshot)), id: known })
      }
      if (base !== undefined) for (const each of createMemberSource(base).snapshot()) add(each, undefined)
      for (const { isAlive, identity, image } of members) {
        for (const each of createMemberSource(image).snapshot()) {
          if (isAlive || (each.kind !== 'gauge' && each.kind !== 'longTaskTimer')) add(each, identity.slot)
        }
      }
      series = [...merged.values()]
    },
    names,
    snapshot,
    *slices() {
      for (const each of snapshot()) yield [each]
    },
  }
}

function idOf({ name, description, baseUnit }: MeterId): Omit<MeterId, 'tags'> {
  return { name, description, baseUnit }
}

function mergeTwo(one: MeterSnapshot, other: MeterSnapshot): MeterSnapshot {
  if (one.kind === 'counter' && other.kind === 'counter') return { ...one, value: one.value + other.value }
  if (one.kind === 'functionTimer' && other.kind === 'functionTimer') {
    return { ...one, count: one.count + other.count, total: one.total + other.total }
  }
  if (one.kind === 'longTaskTimer' && other.kind === 'longTaskTimer') {
    const max = Math.max(one.max, other.max)
    return {
      ...one,
      activeTasks: one.activeTasks + other.activeTasks,
      duration: one.duration + other.duration,
      max,
      buckets: undefined,
    }
  }
  if ((one.kind === 'timer' || one.kind === 'summary') && (other.kind === 'timer' || other.kind === 'summary')) {
    const buckets = one.buckets && {
      bounds: one.buckets.bounds,
      counts: one.buckets.counts.map((count, at) => count + (other.buckets?.counts[at] ?? 0)),
    }
    const [count, total] = [one.count + other.count, one.total + other.total]
    return { ...one, count, total, max: Math.max(one.max, other.max), buckets, exponential: undefined }
  }
  return other
}
