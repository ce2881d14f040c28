import { type Counter, counterKind } from './counter.ts'
import { type FunctionCounter, functionCounterKind } from './function-counter.ts'
import { type FunctionTimer, functionTimerKind, type TimedTotal } from './function-timer.ts'
import { gaugeKind, type ReadGauge } from './gauge.ts'
import { type LongTaskTimer, longTaskTimerKind } from './long-task-timer.ts'
import type { MeterOptions, StoredMeter } from './meter.ts'
import type { ReadMeterOptions } from './meter-reading.ts'
import type { MeterCatalog } from './series/meter-catalog.ts'
import type { MeterStore } from './series/meter-store.ts'
import { type Summary, type SummaryOptions, summaryKind } from './summary.ts'
import { type Timer, type TimerOptions, timerKind } from './timer.ts'
import { type ValueGauge, valueGaugeKind } from './value-gauge.ts'

/** The catalog of each kind of meter. */
export interface MeterCatalogs {
  readonly counters: MeterCatalog<Counter & StoredMeter, MeterOptions>
  readonly functionCounters: MeterCatalog<FunctionCounter & StoredMeter, ReadMeterOptions<number>>
  readonly gauges: MeterCatalog<ReadGauge, ReadMeterOptions<number>>
  readonly valueGauges: MeterCatalog<ValueGauge, MeterOptions>
  readonly timers: MeterCatalog<Timer & StoredMeter, TimerOptions>
  readonly functionTimers: MeterCatalog<FunctionTimer & StoredMeter, ReadMeterOptions<TimedTotal>>
  readonly summaries: MeterCatalog<Summary & StoredMeter, SummaryOptions>
  readonly longTaskTimers: MeterCatalog<LongTaskTimer & StoredMeter, TimerOptions>
}

/** Lists the kinds of meters. Meters of one name are read in this order. */
export function createCatalogs(store: MeterStore): MeterCatalogs {
  return {
    counters: store.add(counterKind),
    functionCounters: store.add(functionCounterKind),
    gauges: store.add(gaugeKind),
    valueGauges: store.add(valueGaugeKind),
    timers: store.add(timerKind),
    functionTimers: store.add(functionTimerKind),
    summaries: store.add(summaryKind),
    longTaskTimers: store.add(longTaskTimerKind),
  }
}
