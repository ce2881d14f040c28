import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'

/** What a group of meters needs; `prefix` with its dot. */
export interface RuntimeMeasuring {
  readonly meters: MeterRegistry
  readonly clock: Clock
  readonly prefix: string
  readonly path: string
  readonly report: Report
}

/** Registers meters and answers how to stop what feeds them. */
export type BindMeters = (measuring: RuntimeMeasuring) => () => void
