import { kindOf } from '../base/callback.ts'
import { invalidOption } from '../base/errors.ts'
import type { Meter, MeterOptions, StoredMeter } from './meter.ts'
import type { MeterRegistry } from './meter-registry.ts'
import { Family } from './series/family.ts'
import { Series } from './series/series.ts'
import type { Tags } from './series/tags.ts'
import type { ValueGauge } from './value-gauge.ts'

/** What other modules of upkeep use of a registry, beyond what applications do. */
export interface ExtensibleRegistry extends MeterRegistry {
  /** Returns the gauge with a name and tags whose value is set, not read from a function. */
  valueGauge(name: string, tags: Tags, options?: MeterOptions): ValueGauge
  /** Calls `update`, which never rejects, before the meters are read; readers await it. Returns what undoes that. */
  onRefresh(update: () => Promise<void>): () => void
  /** Returns the meters of all names and kinds, to copy their values without a snapshot of each. */
  families(): Iterable<Family<StoredMeter>>
}

/**
 * Returns the registry with all that upkeep's registries can do.
 *
 * @throws TypeError if it is not a registry of upkeep.
 */
export function extensible(meters: MeterRegistry, caller: string): ExtensibleRegistry {
  if (isExtensible(meters)) return meters
  throw invalidOption(`${caller}: management.meters: expected a registry of upkeep, received ${kindOf(meters)}`)
}

function isExtensible(meters: MeterRegistry): meters is ExtensibleRegistry {
  return typeof meters === 'object' && meters !== null && 'valueGauge' in meters && 'onRefresh' in meters
}

/** Returns the number of series with the name of a meter; 0 if it is not read, because it was denied or removed. */
export function seriesBeside({ id }: Meter): number {
  return id instanceof Series && id.home instanceof Family ? id.home.size : 0
}
