import { kindOf } from '../base/callback.ts'
import { invalidOption } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import {
  checkExponential,
  type DistributionOptions,
  distributionForeignNames,
  distributionOptions,
} from './distribution/distribution-options.ts'
import type { FilterDecision, MeterDescription, MeterFilter } from './meter-filter.ts'
import { listTags, mergeTags, readTags, type Tags } from './series/tags.ts'
import type { Tag } from './snapshot.ts'

/**
 * The meters that a filter applies to: those whose name starts with a string, or for which a function returns `true`.
 */
export type MeterSelection = string | ((meter: MeterDescription) => boolean)

/** Adds tags to every meter. A tag of the meter takes precedence over a common one with the same key. */
export function commonTags(tags: Tags): MeterFilter {
  const common = listTags(readTags(tags))
  return { map: (meter) => ({ ...meter, tags: mergeTags(common, meter.tags) }) }
}

/** Renames the meter with exactly this name. */
export function renameMeter(from: string, to: string): MeterFilter {
  return { map: (meter) => (meter.name === from ? { ...meter, name: to } : meter) }
}

/** Renames a tag key. */
export function renameTag(which: MeterSelection, from: string, to: string): MeterFilter {
  return mapTags(which, (tags) => tags.map((tag) => (tag.key === from ? { key: to, value: tag.value } : tag)))
}

/** Removes tags from every meter. Meters that differ only in these tags become one. */
export function ignoreTags(...keys: readonly string[]): MeterFilter {
  return mapTags(everyMeter, (tags) => tags.filter(({ key }) => !keys.includes(key)))
}

/** Replaces the values of a tag, except for some. */
export function replaceTagValues(
  key: string,
  replace: (value: string) => string,
  ...exceptions: readonly string[]
): MeterFilter {
  return mapTags(everyMeter, (tags) =>
    tags.map((tag) => (tag.key === key && !exceptions.includes(tag.value) ? { key, value: replace(tag.value) } : tag)),
  )
}

/** Denies meters: they can be recorded into, but are never read. */
export function deny(which: MeterSelection = everyMeter): MeterFilter {
  return judge(which, 'deny')
}

/** Denies all other meters. */
export function denyUnless(which: MeterSelection): MeterFilter {
  const selects = select(which)
  return { accept: (meter) => (selects(meter) ? 'neutral' : 'deny') }
}

/** Accepts meters; later filters are not consulted. */
export function accept(which: MeterSelection = everyMeter): MeterFilter {
  return judge(which, 'accept')
}

/**
 * Applies another filter to meters whose tag has a value beyond the first `maximum` ones. Default: such meters are
 * denied.
 */
export function maximumAllowableTags(
  which: MeterSelection,
  key: string,
  maximum: number,
  otherwise: MeterFilter = deny(),
): MeterFilter {
  const selects = select(which)
  const values = new Set<string>()
  const isTooMany = (meter: MeterDescription): boolean => {
    const value = selects(meter) ? meter.tags.find((tag) => tag.key === key)?.value : undefined
    if (value === undefined || values.has(value)) return false
    if (values.size >= maximum) return true
    values.add(value)
    return false
  }
  return {
    accept: (meter) => (isTooMany(meter) ? (otherwise.accept?.(meter) ?? 'neutral') : 'neutral'),
    configure: (meter, options) => (isTooMany(meter) ? (otherwise.configure?.(meter, options) ?? options) : options),
  }
}

/**
 * Sets the buckets or percentiles of meters. These options take precedence over those that the meter is created with.
 *
 * @throws TypeError if an option does not exist.
 */
export function histogram(which: MeterSelection, wanted: DistributionOptions): MeterFilter {
  const selects = select(which)
  requireKnownOptions('histogram', wanted, distributionOptions, { foreignNames: distributionForeignNames })
  checkExponential('histogram', wanted)
  return { configure: (meter, options) => (selects(meter) ? { ...options, ...wanted } : options) }
}

function mapTags(which: MeterSelection, map: (tags: readonly Tag[]) => readonly Tag[]): MeterFilter {
  const selects = select(which)
  return { map: (meter) => (selects(meter) ? { ...meter, tags: mergeTags([], map(meter.tags)) } : meter) }
}

function judge(which: MeterSelection, decision: FilterDecision): MeterFilter {
  const selects = select(which)
  return { accept: (meter) => (selects(meter) ? decision : 'neutral') }
}

function select(which: MeterSelection): (meter: MeterDescription) => boolean {
  if (typeof which === 'string') return ({ name }) => name.startsWith(which)
  if (typeof which === 'function') return which
  throw invalidOption(`a meter filter: expected the start of a name or a function, received ${kindOf(which)}`)
}

function everyMeter(): boolean {
  return true
}
