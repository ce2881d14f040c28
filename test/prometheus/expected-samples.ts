import type { MeterId, MeterSnapshot } from 'upkeep/metrics'
import type { Exemplar } from '../../src/metrics/snapshot.ts'
import type { NameConflict } from '../../src/prometheus/exposition/name-conflict.ts'
import { formatBound } from '../../src/prometheus/exposition/numbers.ts'
import { exportedLabel, exportedName } from '../../src/prometheus/naming.ts'

interface Sample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
  readonly exemplar?: Exemplar | undefined
}

type Labels = readonly (readonly [string, string])[]

/**
 * What has to be read back of these series, apart from what was reported to be in the way of another: the plain telling
 * of the formats' rules, sample by sample, without a thought for text or speed.
 */
export function expectedSamples(
  series: readonly MeterSnapshot[],
  format: 'prometheus' | 'openmetrics',
  conflicts: readonly NameConflict[],
): ReadonlyMap<string, unknown> {
  const dropped = (scope: NameConflict['scope']) =>
    new Set(conflicts.filter((each) => each.scope === scope).map((each): MeterId => each.dropped))
  const droppedFamilies = dropped('family')
  const droppedSeries = dropped('series')
  const expected = new Map<string, unknown>()
  for (const family of familiesOf(series)) {
    if (family[0] && droppedFamilies.has(family[0].id)) continue
    const others = family.findIndex(({ kind }) => kind !== family[0]?.kind)
    const first = others === -1 ? family : family.slice(0, others)
    for (const snapshot of family) {
      if (droppedSeries.has(snapshot.id)) continue
      for (const { name, labels, value, exemplar } of samplesOf(snapshot, first)) {
        if (format === 'prometheus' && name.endsWith('_created')) continue
        const key = JSON.stringify([name, [...labels].sort(([a], [b]) => (a < b ? -1 : 1))])
        const taken = format === 'openmetrics' ? exemplarOf(exemplar) : undefined
        expected.set(key, taken ? { value: value + 0, exemplar: taken } : { value: value + 0 })
      }
    }
  }
  return expected
}

/** Series in the order of their names, in runs of those that are exported under one name as one type. */
function familiesOf(series: readonly MeterSnapshot[]): readonly (readonly MeterSnapshot[])[] {
  const sorted = [...series].sort((a, b) => (a.id.name < b.id.name ? -1 : a.id.name > b.id.name ? 1 : 0))
  const families: MeterSnapshot[][] = []
  for (const snapshot of sorted) {
    const last = families.at(-1)
    const before = last?.[0]
    const same = before?.id.name === snapshot.id.name && exportedAs(before) === exportedAs(snapshot)
    if (same) last?.push(snapshot)
    else families.push([snapshot])
  }
  return families
}

function exportedAs({ kind, id }: MeterSnapshot): string {
  const { type, name } = exportedName(kind, id)
  return `${type} ${name}`
}

/** The samples of one series in a family that begins with these. */
function samplesOf(snapshot: MeterSnapshot, first: readonly MeterSnapshot[]): readonly Sample[] {
  const { name } = exportedName(snapshot.kind, snapshot.id)
  const labels = labelsOf(snapshot)
  const histogram = first.some((each) => 'buckets' in each && each.buckets !== undefined)
  const sample = (suffix: string, value: number): Sample => ({ name: name + suffix, labels, value })
  const created =
    'created' in snapshot && Number.isFinite(snapshot.created) ? [sample('_created', snapshot.created)] : []
  switch (snapshot.kind) {
    case 'counter':
      if (!(snapshot.value >= 0)) return []
      return [{ ...sample('_total', snapshot.value), exemplar: snapshot.exemplar }, ...created]
    case 'gauge': {
      if (exportedName('gauge', snapshot.id).type === 'gauge') return [sample('', snapshot.value)]
      const info = first.every((each) => each.kind === 'gauge' && each.value === 1)
      return info && snapshot.value !== 1 ? [] : [sample('_info', snapshot.value)]
    }
    case 'functionTimer': {
      const count = Math.floor(snapshot.count)
      if (!(count >= 0 && Number.isFinite(count) && snapshot.total >= 0)) return []
      const bucket = histogram
        ? [{ name: `${name}_bucket`, labels: [...labels, ['le', '+Inf']] as Labels, value: count }]
        : []
      return [...bucket, sample('_sum', snapshot.total), sample('_count', count), ...created]
    }
    case 'timer':
    case 'summary': {
      const { count, total, max } = snapshot
      const parts = histogram ? bucketsOf(name, labels, snapshot, count) : quantilesOf(name, labels, snapshot)
      return [...parts, sample('_sum', total), sample('_count', count), ...created, sample('_max', max)]
    }
    case 'longTaskTimer': {
      const { activeTasks, duration, max } = snapshot
      const parts = histogram ? bucketsOf(name, labels, snapshot, activeTasks) : []
      const [sum, count] = histogram ? ['_gsum', '_gcount'] : ['_sum', '_count']
      return [...parts, sample(sum, duration), sample(count, activeTasks), sample('_max', max)]
    }
  }
}

function bucketsOf(
  name: string,
  labels: Labels,
  snapshot: Extract<MeterSnapshot, { readonly buckets: unknown }>,
  count: number,
): readonly Sample[] {
  const { bounds, counts } = snapshot.buckets ?? { bounds: [], counts: [count] }
  return [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => ({
    name: `${name}_bucket`,
    labels: [...labels, ['le', formatBound(bound)]],
    value: counts.slice(0, index + 1).reduce((sum, each) => sum + each, 0),
    exemplar: snapshot.buckets && 'exemplars' in snapshot ? snapshot.exemplars?.[index] : undefined,
  }))
}

function quantilesOf(
  name: string,
  labels: Labels,
  { percentiles }: Extract<MeterSnapshot, { readonly percentiles: unknown }>,
): readonly Sample[] {
  return (percentiles ?? []).map(({ quantile, value }) => ({
    name,
    labels: [...labels, ['quantile', formatBound(quantile)]],
    value,
  }))
}

/** An empty value is no label; values of keys that meet are joined; half a character is replaced. */
function labelsOf({ id, kind }: MeterSnapshot): Labels {
  const labels: Record<string, string> = Object.create(null)
  for (const { key, value } of id.tags.filter((tag) => tag.value !== '')) {
    const name = exportedLabel(key, kind)
    const before = labels[name]
    labels[name] = before === undefined ? wellFormed(value) : `${before};${wellFormed(value)}`
  }
  return Object.entries(labels)
}

function exemplarOf(exemplar: Exemplar | undefined): unknown {
  if (exemplar === undefined || !Number.isFinite(exemplar.timestamp)) return undefined
  const all = { trace_id: wellFormed(exemplar.traceId), span_id: wellFormed(exemplar.spanId) }
  const labels = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  if (Object.keys(labels).length === 0) return undefined
  const length = Object.entries(labels).reduce((sum, [name, value]) => sum + name.length + [...value].length, 0)
  return length > 128 ? undefined : { labels, value: exemplar.value + 0 }
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}
