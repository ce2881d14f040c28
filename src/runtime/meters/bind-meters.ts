import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'

/** The arguments of a group of meters; `prefix` ends in a dot. */
export interface RuntimeMeasuring {
  readonly meters: MeterRegistry
  readonly clock: Clock
  readonly prefix: string
  readonly path: string
  readonly report: Report
}

/** Registers meters. Returns a function that stops what updates them. */
export type BindMeters = (measuring: RuntimeMeasuring) => () => void
