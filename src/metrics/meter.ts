import type { Series } from './series/series.ts'
import type { MeterId, MeterSnapshot } from './snapshot.ts'

export type MeterKind =
  | 'counter'
  | 'gauge'
  | 'timer'
  | 'summary'
  | 'longTaskTimer'
  | 'functionCounter'
  | 'functionTimer'

/** What measures one series. */
export interface Meter {
  readonly id: MeterId
}

/** What a registry asks of the meters that it keeps. */
export interface StoredMeter extends Meter {
  readonly id: Series
  /** The values of this moment; `undefined` when what it measured is gone for good. */
  snapshot(): MeterSnapshot | undefined
  /** A number that differs after the meter was used. */
  activity(): number
}
