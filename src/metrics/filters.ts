import { kindOf } from '../base/callback.ts'
import type { DistributionOptions } from './distribution/distribution-options.ts'
import type { MeterDescription, MeterFilter, Verdict } from './meter-filter.ts'
import { listTags, mergeTags, readTags, type Tags } from './series/tags.ts'
import type { Tag } from './snapshot.ts'

/** Which meters a filter is for: those whose name begins with a text, or for which a function says so. */
export type MeterSelection = string | ((meter: MeterDescription) => boolean)

/** Gives these tags to every meter; a tag of the meter's own goes before a common one of the same key. */
export function commonTags(tags: Tags): MeterFilter {
  const common = listTags(readTags(tags))
  return { map: (meter) => ({ ...meter, tags: mergeTags(common, meter.tags) }) }
}

/** Renames the meter of exactly this name. */
export function renameMeter(from: string, to: string): MeterFilter {
  return { map: (meter) => (meter.name === from ? { ...meter, name: to } : meter) }
}

/** Gives a tag key another name. */
export function renameTag(which: MeterSelection, from: string, to: string): MeterFilter {
  return mapTags(which, (tags) => tags.map((tag) => (tag.key === from ? { key: to, value: tag.value } : tag)))
}

/** Takes tags away from every meter; meters that differ in nothing else become one. */
export function ignoreTags(...keys: readonly string[]): MeterFilter {
  return mapTags(everyMeter, (tags) => tags.filter(({ key }) => !keys.includes(key)))
}

/** Replaces the values of a tag, all but the exceptions. */
export function replaceTagValues(
  key: string,
  replace: (value: string) => string,
  ...exceptions: readonly string[]
): MeterFilter {
  return mapTags(everyMeter, (tags) =>
    tags.map((tag) => (tag.key === key && !exceptions.includes(tag.value) ? { key, value: replace(tag.value) } : tag)),
  )
}

/** Makes no such meters; who records into one records into nothing. */
export function deny(which: MeterSelection = everyMeter): MeterFilter {
  return judge(which, 'deny')
}

/** Makes no meters but such. */
export function denyUnless(which: MeterSelection): MeterFilter {
  const selects = select(which)
  return { accept: (meter) => (selects(meter) ? 'neutral' : 'deny') }
}

/** Makes such meters, whatever later filters say. */
export function accept(which: MeterSelection = everyMeter): MeterFilter {
  return judge(which, 'accept')
}

/** Lets a tag have so many values and passes meters with any other on to `otherwise`, which denies them by default. */
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
 * Gives such meters buckets or percentiles; what is named here takes precedence over what the meter was made with.
 *
 * @throws TypeError for an option that does not exist.
 */
export function histogram(which: MeterSelection, wanted: DistributionOptions): MeterFilter {
  const selects = select(which)
  for (const option of Object.keys(wanted)) {
    if (!(distributionOptions as readonly string[]).includes(option)) {
      throw new TypeError(`histogram: unknown option "${option}"; expected ${distributionOptions.join(', ')}`)
    }
  }
  return { configure: (meter, options) => (selects(meter) ? { ...options, ...wanted } : options) }
}

const distributionOptions = [
  'slo',
  'percentileHistogram',
  'minimumExpectedValue',
  'maximumExpectedValue',
  'percentiles',
  'exponential',
] as const satisfies readonly (keyof DistributionOptions)[]

function mapTags(which: MeterSelection, map: (tags: readonly Tag[]) => readonly Tag[]): MeterFilter {
  const selects = select(which)
  return { map: (meter) => (selects(meter) ? { ...meter, tags: mergeTags([], map(meter.tags)) } : meter) }
}

function judge(which: MeterSelection, verdict: Verdict): MeterFilter {
  const selects = select(which)
  return { accept: (meter) => (selects(meter) ? verdict : 'neutral') }
}

function select(which: MeterSelection): (meter: MeterDescription) => boolean {
  if (typeof which === 'string') return ({ name }) => name.startsWith(which)
  if (typeof which === 'function') return which
  throw new TypeError(`a meter filter: expected the beginning of a name or a function, received ${kindOf(which)}`)
}

function everyMeter(): boolean {
  return true
}
