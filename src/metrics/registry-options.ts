import type { Clock } from '../base/clock.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { optionOutOfRange } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import { RollingWindow } from './distribution/rolling-window.ts'
import type { MeterKindName } from './meter.ts'
import type { MeterRegistryOptions } from './meter-registry.ts'
import type { MeterStore } from './series/meter-store.ts'

/**
 * Returns the options of `createMeterRegistry`.
 *
 * @throws TypeError if there is an unknown one.
 */
export function checkedOptions(options: MeterRegistryOptions): MeterRegistryOptions {
  const where = 'createMeterRegistry'
  const { window = {}, expireAfter = {} } = options
  requireKnownOptions(
    where,
    options,
    ['clock', 'filters', 'maximumSeriesPerMeter', 'window', 'expireAfter', 'exemplar', 'diagnose'],
    { foreignNames },
  )
  requireKnownOptions(where, window, ['rotations', 'rotation'], { path: ['window'] })
  requireKnownOptions(where, expireAfter, ['counter', 'timer', 'summary', 'longTaskTimer'], { path: ['expireAfter'] })
  return options
}

/** What others call these options. */
const foreignNames: ForeignNames = {
  commonTags: 'write filters: [commonTags(tags)]',
  defaultLabels: 'write filters: [commonTags(tags)]',
  labels: 'write filters: [commonTags(tags)]',
  tags: 'write filters: [commonTags(tags)]',
  prefix: 'to rename meters, use filters: [{ map }]',
  cardinalityLimit: 'maximumSeriesPerMeter',
  ttl: 'expireAfter',
  report: 'diagnose',
}

/** @throws RangeError if an option of the window is out of its range. */
export function createWindow(
  clock: Clock,
  { rotations = 3, rotation = '1m' }: NonNullable<MeterRegistryOptions['window']> = {},
): RollingWindow {
  if (!(Number.isInteger(rotations) && rotations >= 1)) {
    throw optionOutOfRange(`window.rotations: expected a whole number of 1 or more, received ${rotations}`)
  }
  return new RollingWindow(clock, rotations, positiveMilliseconds(rotation, 'window.rotation'))
}

/**
 * Returns after how many milliseconds without use the meters of a kind expire.
 *
 * @throws RangeError if one of them is not a positive duration.
 */
export function expiryLimits(
  { kinds }: MeterStore,
  expireAfter: MeterRegistryOptions['expireAfter'] = {},
): Map<MeterKindName, number> {
  const durations = new Map(Object.entries(expireAfter))
  const limits = new Map<MeterKindName, number>()
  for (const { name, overflows } of kinds) {
    const limit = overflows ? durations.get(name) : undefined
    if (limit !== undefined) limits.set(name, positiveMilliseconds(limit, `expireAfter.${name}`))
  }
  return limits
}

function positiveMilliseconds(duration: Duration, option: string): number {
  const milliseconds = durationMilliseconds(duration, option)
  if (milliseconds > 0) return milliseconds
  throw optionOutOfRange(`${option}: expected a duration longer than 0, received ${JSON.stringify(duration)}`)
}
