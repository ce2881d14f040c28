import type { ConventionName } from '../../metrics/convention-name.ts'
import type { MeterFilter } from '../../metrics/meter-filter.ts'
import { nameConnectionMeters } from './connection-meters.ts'
import type { Convention } from './convention.ts'
import { micrometer } from './micrometer.ts'
import { opentelemetry } from './opentelemetry.ts'

/** The conventions by the values of the option `conventions`. */
export const conventions: Readonly<Record<ConventionName, Convention>> = { micrometer, opentelemetry }

/** The filters that give meters the names of a convention where what creates them does not know it. */
export const registryFilters: Readonly<Record<ConventionName, readonly MeterFilter[]>> = {
  micrometer: [],
  opentelemetry: [nameConnectionMeters],
}
