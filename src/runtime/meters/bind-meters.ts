import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { ProcessStatus } from './process-status.ts'

/** The arguments of a group of meters; `prefix` ends in a dot. */
export interface RuntimeMeasuring {
  readonly meters: MeterRegistry
  readonly clock: Clock
  readonly prefix: string
  readonly path: string
  readonly report: Report
  /** Returns what Linux reports about the process, read once per scrape; absent on other systems. */
  readonly status?: (() => ProcessStatus) | undefined
}

/** Registers meters. Returns a function that stops what updates them. */
export type BindMeters = (measuring: RuntimeMeasuring) => () => void
