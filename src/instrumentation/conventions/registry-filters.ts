import type { ConventionName } from '../../metrics/convention-name.ts'
import type { MeterFilter } from '../../metrics/meter-filter.ts'
import { nameConnectionMeters } from './connection-meters.ts'

/** The filters that give meters the names of a convention where what creates them does not know it. */
export const registryFilters: Readonly<Record<ConventionName, readonly MeterFilter[]>> = {
  micrometer: [],
  opentelemetry: [nameConnectionMeters],
}
