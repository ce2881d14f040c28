import { type Counter, PlainCounter, TracedCounter } from './counter.ts'
import { Distribution } from './distribution/distribution.ts'
import { longTaskDefaults, summaryDefaults, timerDefaults } from './distribution/distribution-options.ts'
import type { DistributionSetups } from './distribution/distribution-setup.ts'
import type { Exemplars } from './exemplars.ts'
import { type FunctionCounter, ReadCounter } from './function-counter.ts'
import { type FunctionTimer, ReadTimer, type TimedTotal } from './function-timer.ts'
import { ReadGauge } from './gauge.ts'
import { ActiveTaskTimer, type LongTaskTimer } from './long-task-timer.ts'
import type { StoredMeter } from './meter.ts'
import type { MeterOptions, SummaryOptions, TimerOptions } from './meter-registry.ts'
import type { Reading } from './reading.ts'
import type { MeterRequest } from './series/registration.ts'
import { ScaledSummary, type Summary } from './summary.ts'
import type { Timer } from './timer.ts'

const seconds = 'seconds'

export function requestCounter(
  name: string,
  { description, baseUnit }: MeterOptions,
  exemplars: Exemplars | undefined,
): MeterRequest<Counter & StoredMeter> {
  return {
    name,
    description,
    baseUnit,
    overflows: true,
    create: (series) => (exemplars === undefined ? new PlainCounter(series) : new TracedCounter(series, exemplars)),
  }
}

export function requestTimer(
  name: string,
  options: TimerOptions,
  setups: DistributionSetups,
): MeterRequest<Timer & StoredMeter> {
  return {
    name,
    description: options.description,
    baseUnit: seconds,
    overflows: true,
    create: (series, configure) =>
      new Distribution(
        series,
        configure(options, (configured) => setups.of(configured, timerDefaults)),
      ),
  }
}

export function requestSummary(
  name: string,
  options: SummaryOptions,
  setups: DistributionSetups,
): MeterRequest<Summary & StoredMeter> {
  const { description, baseUnit, scale = 1 } = options
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`scale must be a positive number, not ${scale}`)
  }
  return {
    name,
    description,
    baseUnit,
    overflows: true,
    create: (series, configure) => {
      const summary = new Distribution(
        series,
        configure(options, (configured) => setups.of(configured, summaryDefaults)),
      )
      return scale === 1 ? summary : new ScaledSummary(summary, scale)
    },
  }
}

export function requestLongTaskTimer(
  name: string,
  options: TimerOptions,
  setups: DistributionSetups,
): MeterRequest<LongTaskTimer & StoredMeter> {
  return {
    name,
    description: options.description,
    baseUnit: seconds,
    overflows: true,
    create: (series, configure) =>
      new ActiveTaskTimer(
        series,
        configure(options, (configured) => setups.of(configured, longTaskDefaults)),
      ),
  }
}

export function requestGauge(
  name: string,
  { description, baseUnit }: MeterOptions,
  reading: Reading<number>,
): MeterRequest<ReadGauge> {
  return { name, description, baseUnit, overflows: false, create: (series) => new ReadGauge(series, reading) }
}

export function requestFunctionCounter(
  name: string,
  { description, baseUnit }: MeterOptions,
  reading: Reading<number>,
): MeterRequest<FunctionCounter & StoredMeter> {
  return { name, description, baseUnit, overflows: false, create: (series) => new ReadCounter(series, reading) }
}

export function requestFunctionTimer(
  name: string,
  { description }: MeterOptions,
  reading: Reading<TimedTotal>,
): MeterRequest<FunctionTimer & StoredMeter> {
  return { name, description, baseUnit: seconds, overflows: false, create: (series) => new ReadTimer(series, reading) }
}
