import type { BaseContent, MemberImage, MemberRecord } from '../member-image.ts'
import { cellPlaces, type SeriesDefinition } from '../series-definition.ts'
import { countOf, readExponential } from './exponential-histograms.ts'
import { FoldedSeries, isTimer } from './folded-series.ts'
import { isOtherUnit, type MergeScope, mergeRuleOf } from './merge-rules.ts'
import { processKey } from './process-stage.ts'
import { overflowTags, tagsKey } from './series-key.ts'

/** A group can go on for years, with new members that have new series again and again. */
const maxSeriesPerMeter = 10_000

/**
 * Returns the values that stay when members have ended, together with those of the base: counters, counts, buckets and
 * totals, but no gauges, maxima or long tasks. What its threads read of their process is added once per process, with
 * the greatest value, when the process has ended: all its members have to be among `dead` then.
 */
export function foldMembers(base: MemberImage | undefined, dead: readonly MemberRecord[]): BaseContent {
  const fold = new Fold()
  if (base !== undefined) fold.add(base, undefined)
  for (const record of dead.toSorted((one, other) => one.identity.joinedAt - other.identity.joinedAt)) {
    fold.add(record.image, record)
  }
  return fold.content()
}

/** The series of one name and kind. */
interface FoldedMeter {
  readonly kind: SeriesDefinition['kind']
  readonly scope: MergeScope
  readonly unit: string | undefined
  /** By tags, then by buckets: buckets of different versions of an application are kept apart. */
  readonly series: Map<string, Map<string, FoldedSeries>>
}

class Fold {
  readonly #meters = new Map<string, FoldedMeter[]>()
  /** By process: its values of each series, which are added to it last. */
  readonly #processes = new Map<string, Map<FoldedSeries, FoldedSeries>>()

  add({ definitions, places, cells }: MemberImage, record: MemberRecord | undefined): void {
    for (const [index, definition] of definitions.entries()) {
      const place = places[index]
      if (definition === undefined || place === undefined || !stays(definition)) continue
      const meter = this.#meter(definition)
      const scope = isTimer(definition.kind) ? 'thread' : meter?.scope
      if (meter === undefined || (scope === 'process' && record?.isProcessAlive)) continue
      const series = this.#series(meter, definition, cells, place)
      if (series === undefined) continue
      if (scope === 'machine') series.raise(definition, cells, place)
      else if (scope === 'thread' || record === undefined) series.add(definition, cells, place)
      else this.#ofProcess(record, series, definition).raise(definition, cells, place)
    }
  }

  content(): BaseContent {
    for (const process of this.#processes.values()) for (const [series, own] of process) series.include(own)
    const definitions: SeriesDefinition[] = []
    const cells: number[] = []
    for (const { series } of [...this.#meters.values()].flat()) {
      for (const variants of series.values()) {
        for (const folded of variants.values()) folded.write(definitions, cells)
      }
    }
    return { definitions, cells: Float64Array.from(cells), exemplars: [] }
  }

  /** Returns the meter of a series; `undefined` if its unit is another one. */
  #meter({ kind, id }: SeriesDefinition): FoldedMeter | undefined {
    const meters = this.#meters.get(id.name) ?? []
    const known = meters.find((meter) => meter.kind === kind)
    if (known !== undefined) return isOtherUnit(known.unit, id.baseUnit) ? undefined : known
    const { scope } = mergeRuleOf(id.name, {})
    const meter: FoldedMeter = { kind, scope, unit: id.baseUnit, series: new Map() }
    this.#meters.set(id.name, [...meters, meter])
    return meter
  }

  /** Returns the series to add to; `undefined` if there is one of another kind. */
  #series(
    meter: FoldedMeter,
    definition: SeriesDefinition,
    cells: Float64Array,
    place: number,
  ): FoldedSeries | undefined {
    const { name, tags } = definition.id
    const key = tagsKey(tags)
    const others = this.#meters.get(name) ?? []
    if (others.length > 1 && others.some((other) => other !== meter && other.series.has(key))) return undefined
    const isWithin = meter.series.has(key) || meter.series.size < maxSeriesPerMeter
    const ownTags = isWithin ? tags : overflowTags(tags)
    const ownKey = isWithin ? key : tagsKey(ownTags)
    const variants = meter.series.get(ownKey) ?? new Map<string, FoldedSeries>()
    meter.series.set(ownKey, variants)
    const kept = isWhole(definition, cells, place) ? definition : withoutExponential(definition)
    const variant = variantKey(kept)
    const known = variants.get(variant)
    if (known !== undefined) return known
    const series = new FoldedSeries(isWithin ? kept : { ...kept, id: { ...kept.id, tags: ownTags } })
    variants.set(variant, series)
    return series
  }

  #ofProcess({ identity }: MemberRecord, series: FoldedSeries, definition: SeriesDefinition): FoldedSeries {
    const key = processKey(identity)
    const process = this.#processes.get(key) ?? new Map<FoldedSeries, FoldedSeries>()
    this.#processes.set(key, process)
    const own = process.get(series) ?? new FoldedSeries(definition)
    process.set(series, own)
    return own
  }
}

function stays({ kind }: SeriesDefinition): boolean {
  return kind !== 'gauge' && kind !== 'longTaskTimer'
}

/** Whether the exponential histogram of a series, if it has one, contains all of its measurements. */
function isWhole(definition: SeriesDefinition, cells: Float64Array, place: number): boolean {
  if (definition.exponentialBuckets === undefined) return true
  const exponential = readExponential(definition, cells, place)
  return exponential !== undefined && countOf(exponential) === cells[place + cellPlaces.count]
}

function withoutExponential({ exponentialBuckets: _, ...definition }: SeriesDefinition): SeriesDefinition {
  return definition
}

function variantKey({ bounds = [], exponentialBuckets }: SeriesDefinition): string {
  return `${bounds.join()}${exponentialBuckets === undefined ? '' : ' exponential'}`
}
