import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { exportedLabel, exportedName, onlySampleName } from '../../prometheus/naming.ts'
import type { MeterDocument, MeterFacts, MetersDocument, SeriesFacts } from '../documents.ts'

const maxMeters = 2_000
const maxSeries = 200
const maxTagValues = 100

/** The characters of all names, tags and descriptions of a document, about. */
const maxText = 500_000

/** Lists the meters of a source. Yields now and then, so that the work can be spread. */
export function* listMeters(source: SnapshotSource): Generator<undefined, Omit<MetersDocument, 'now'>> {
  const meters = new Map<string, MeterFacts>()
  for (const slice of source.slices(256)) {
    for (const { kind, id } of slice) {
      const series = (meters.get(id.name)?.series ?? 0) + 1
      meters.set(id.name, { name: id.name, kind, description: id.description, unit: id.baseUnit, series })
    }
    yield
  }
  const all = [...meters.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  let text = 0
  const listed = all.slice(0, maxMeters).filter(({ name, description = '' }) => {
    text += name.length + description.length
    return text <= maxText
  })
  return { meters: listed, omittedMeters: all.length - listed.length }
}

/** Returns the series of a meter that have all the tags; `undefined` for an unknown meter. */
export function* readMeter(
  source: SnapshotSource,
  name: string,
  wanted: readonly (readonly [key: string, value: string])[],
): Generator<undefined, Omit<MeterDocument, 'now'> | undefined> {
  const tags = new Map<string, Set<string>>()
  const series: SeriesFacts[] = []
  let first: MeterSnapshot | undefined
  let matching = 0
  let seen = 0
  let text = 0
  for (const snapshot of source.snapshot(name)) {
    seen += 1
    if (seen % 256 === 0) yield
    first ??= snapshot
    const own = Object.fromEntries(snapshot.id.tags.map(({ key, value }) => [key, value]))
    for (const [key, value] of Object.entries(own)) {
      const values = tags.get(key) ?? new Set<string>()
      if (values.size >= maxTagValues || values.has(value) || text + value.length > maxText) continue
      text += value.length
      tags.set(key, values.add(value))
    }
    if (!wanted.every(([key, value]) => own[key] === value)) continue
    matching += 1
    const promql = promqlOf(snapshot)
    if (series.length >= maxSeries || text + promql.length > maxText) continue
    text += promql.length
    series.push({ tags: own, values: valuesOf(snapshot), promql })
  }
  if (first === undefined) return undefined
  const { kind, id } = first
  return {
    ...{ name, kind, description: id.description, unit: id.baseUnit },
    tags: Object.fromEntries([...tags].map(([key, values]) => [key, [...values].sort()])),
    series,
    omittedSeries: matching - series.length,
  }
}

/** Returns the values of a series by statistic, as `metrics/{name}` calls them; those that cannot be read are omitted. */
function valuesOf(snapshot: MeterSnapshot): Readonly<Record<string, number>> {
  const values = statisticsOf(snapshot)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)))
}

function statisticsOf(snapshot: MeterSnapshot): Readonly<Record<string, number>> {
  switch (snapshot.kind) {
    case 'counter':
      return { COUNT: snapshot.value }
    case 'gauge':
      return { VALUE: snapshot.value }
    case 'timer':
      return { COUNT: snapshot.count, TOTAL_TIME: snapshot.total, MAX: snapshot.max }
    case 'summary':
      return { COUNT: snapshot.count, TOTAL: snapshot.total, MAX: snapshot.max }
    case 'functionTimer':
      return { COUNT: snapshot.count, TOTAL_TIME: snapshot.total }
    case 'longTaskTimer':
      return { ACTIVE_TASKS: snapshot.activeTasks, DURATION: snapshot.duration, MAX: snapshot.max }
  }
}

/** Returns a query for Prometheus: the value of a gauge, the rate of what only grows. */
function promqlOf({ kind, id }: MeterSnapshot): string {
  const exported = exportedName(kind, id)
  const name = onlySampleName(exported) || `${exported.name}_${kind === 'longTaskTimer' ? 'max' : 'count'}`
  const matchers = id.tags.map(({ key, value }) => `${exportedLabel(key, kind)}=${JSON.stringify(value)}`)
  const selector = matchers.length === 0 ? name : `${name}{${matchers.join(', ')}}`
  return kind === 'gauge' || kind === 'longTaskTimer' ? selector : `rate(${selector}[5m])`
}
