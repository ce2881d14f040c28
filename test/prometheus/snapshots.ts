import type { MeterId, MeterSnapshot, SnapshotSource, Tag } from 'upkeep/metrics'
import type {
  BucketsSnapshot,
  CounterSnapshot,
  DistributionSnapshot,
  Exemplar,
  FunctionTimerSnapshot,
  GaugeSnapshot,
  LongTaskTimerSnapshot,
  Percentile,
} from '../../src/metrics/snapshot.ts'

export type TagsInput = Readonly<Record<string, string>> | readonly Tag[]

export interface IdInput {
  readonly tags?: TagsInput
  readonly description?: string
  readonly baseUnit?: string
  readonly verbatim?: boolean
}

/** When every hand-made series began. */
export const began = 1_700_000_000.5

export function meterId(name: string, { tags = {}, description, baseUnit, verbatim = false }: IdInput = {}): MeterId {
  const list = Array.isArray(tags)
    ? (tags as readonly Tag[])
    : Object.entries(tags).map(([key, value]) => ({ key, value }))
  const sorted = [...list].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return { name, tags: sorted, description, baseUnit, verbatim }
}

export function counter(
  name: string,
  value: number,
  { exemplar, created = began, ...id }: IdInput & { readonly exemplar?: Exemplar; readonly created?: number } = {},
): CounterSnapshot {
  return { kind: 'counter', id: meterId(name, id), value, created, exemplar }
}

export function gauge(name: string, value: number, id: IdInput = {}): GaugeSnapshot {
  return { kind: 'gauge', id: meterId(name, id), value }
}

interface DistributionInput extends IdInput {
  readonly count?: number
  readonly total?: number
  readonly max?: number
  readonly percentiles?: readonly Percentile[]
  readonly buckets?: BucketsSnapshot
  readonly exemplars?: readonly (Exemplar | undefined)[]
  readonly created?: number
}

export function timer(name: string, input: DistributionInput = {}): DistributionSnapshot {
  return distribution('timer', name, { ...input, baseUnit: 'seconds' })
}

export function summary(name: string, input: DistributionInput = {}): DistributionSnapshot {
  return distribution('summary', name, input)
}

function distribution(kind: 'timer' | 'summary', name: string, input: DistributionInput): DistributionSnapshot {
  const { count = 0, total = 0, max = 0, percentiles, buckets, exemplars, created = began, ...id } = input
  return {
    kind,
    id: meterId(name, id),
    count,
    total,
    max,
    percentiles,
    buckets,
    exponential: undefined,
    exemplars,
    created,
  }
}

export function functionTimer(
  name: string,
  { count, total, created = began, ...id }: IdInput & { count: number; total: number; created?: number },
): FunctionTimerSnapshot {
  return { kind: 'functionTimer', id: meterId(name, { ...id, baseUnit: 'seconds' }), count, total, created }
}

export function longTaskTimer(
  name: string,
  input: IdInput & { activeTasks: number; duration: number; max: number; buckets?: BucketsSnapshot },
): LongTaskTimerSnapshot {
  const { activeTasks, duration, max, buckets, ...id } = input
  return {
    kind: 'longTaskTimer',
    id: meterId(name, { ...id, baseUnit: 'seconds' }),
    activeTasks,
    duration,
    max,
    buckets,
  }
}

/** Series as a registry hands them out: sorted by name, in slices of one name and one kind. */
export function sourceOf(snapshots: readonly MeterSnapshot[]): SnapshotSource {
  const sorted = [...snapshots].sort((a, b) => (a.id.name < b.id.name ? -1 : a.id.name > b.id.name ? 1 : 0))
  return {
    names: () => [...new Set(sorted.map(({ id }) => id.name))],
    snapshot: (name) => sorted.filter(({ id }) => name === undefined || id.name === name),
    *slices(size = 64) {
      let slice: MeterSnapshot[] = []
      for (const snapshot of sorted) {
        const [first] = slice
        const fits = first === undefined || (first.id.name === snapshot.id.name && first.kind === snapshot.kind)
        if (!fits || slice.length === size) {
          yield slice
          slice = []
        }
        slice.push(snapshot)
      }
      if (slice.length > 0) yield slice
    },
  }
}
