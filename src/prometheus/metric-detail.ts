import type { MeterId, MeterSnapshot, Tag } from '../metrics/snapshot.ts'

type Statistic = 'COUNT' | 'TOTAL' | 'TOTAL_TIME' | 'MAX' | 'VALUE' | 'ACTIVE_TASKS' | 'DURATION'

interface Measurement {
  readonly statistic: Statistic
  readonly value: number
}

/** The response to `/metrics/{name}`, as in Spring Boot Actuator. */
interface MetricDetail {
  readonly name: string
  /** The description of the first series that has one, else the name, as in the scrape. */
  readonly description: string
  readonly baseUnit?: string
  readonly measurements: readonly Measurement[]
  /** The tags by which the measurements can be filtered further; sorted, like their values. */
  readonly availableTags: readonly AvailableTag[]
}

interface AvailableTag {
  readonly tag: string
  readonly values: readonly string[]
}

/** About a millisecond's work. */
const seriesAtOnce = 256

/**
 * Aggregates the series of one name that have all the given tags: the maximum of `MAX`, the sum of all other
 * statistics. Gauges that are NaN are ignored if another one is not. The unit is that of the first series. Returns
 * `undefined` if there is no such series. Yields now and then, so that the work can be spread.
 */
export function* metricDetail(
  name: string,
  snapshots: Iterable<MeterSnapshot>,
  tags: readonly Tag[] = [],
): Generator<undefined, MetricDetail | undefined> {
  const totals = new Map<Statistic, number>()
  const available = new Map<string, Set<string>>()
  let first: MeterId | undefined
  let description: string | undefined
  let seen = 0
  for (const snapshot of snapshots) {
    seen += 1
    if (seen % seriesAtOnce === 0) yield
    const { id } = snapshot
    if (id.name !== name) continue
    const own = new Map(id.tags.map(({ key, value }) => [key, value]))
    if (!tags.every(({ key, value }) => own.get(key) === value)) continue
    first ??= id
    description ??= id.description?.trim() || undefined
    for (const { statistic, value } of measurementsOf(snapshot)) totals.set(statistic, merge(statistic, totals, value))
    for (const [key, value] of own) available.set(key, (available.get(key) ?? new Set()).add(value))
  }
  if (first === undefined) return undefined
  for (const { key } of tags) available.delete(key)
  return {
    name,
    description: description ?? name,
    ...(first.baseUnit === undefined ? {} : { baseUnit: first.baseUnit }),
    measurements: [...totals].map(([statistic, value]) => ({ statistic, value })),
    availableTags: [...available.keys()].sort().map((tag) => ({ tag, values: [...(available.get(tag) ?? [])].sort() })),
  }
}

function measurementsOf(snapshot: MeterSnapshot): readonly Measurement[] {
  switch (snapshot.kind) {
    case 'counter':
      return [{ statistic: 'COUNT', value: snapshot.value }]
    case 'gauge':
      return [{ statistic: 'VALUE', value: snapshot.value }]
    case 'timer':
    case 'summary':
      return [
        { statistic: 'COUNT', value: snapshot.count },
        { statistic: snapshot.kind === 'timer' ? 'TOTAL_TIME' : 'TOTAL', value: snapshot.total },
        ...(Number.isNaN(snapshot.max) ? [] : [{ statistic: 'MAX', value: snapshot.max } as const]),
      ]
    case 'functionTimer':
      return [
        { statistic: 'COUNT', value: snapshot.count },
        { statistic: 'TOTAL_TIME', value: snapshot.total },
      ]
    case 'longTaskTimer':
      return [
        { statistic: 'ACTIVE_TASKS', value: snapshot.activeTasks },
        { statistic: 'DURATION', value: snapshot.duration },
        { statistic: 'MAX', value: snapshot.max },
      ]
  }
}

function merge(statistic: Statistic, totals: ReadonlyMap<Statistic, number>, value: number): number {
  const total = totals.get(statistic)
  if (total === undefined || Number.isNaN(total)) return value
  if (Number.isNaN(value)) return total
  return statistic === 'MAX' ? Math.max(total, value) : total + value
}
