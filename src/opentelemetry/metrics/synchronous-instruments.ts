import type { Attributes } from '@opentelemetry/api'
import type { Counter } from '../../metrics/counter.ts'
import type { Meter } from '../../metrics/meter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { ValueGauge } from '../../metrics/value-gauge.ts'
import type { InstrumentDescription } from './instrument-description.ts'
import type { Distribution, ReportMisuse } from './meter-factory.ts'
import type { SeriesByAttributes } from './series-by-attributes.ts'

/** What values of an instrument are recorded. */
export class ValueRules {
  readonly #name: string
  readonly #isInteger: boolean
  readonly #registry: MeterRegistry
  readonly #misuse: ReportMisuse

  constructor({ name, isInteger }: InstrumentDescription, registry: MeterRegistry, misuse: ReportMisuse) {
    this.#name = name
    this.#isInteger = isInteger
    this.#registry = registry
    this.#misuse = misuse
  }

  /** Whether `accept` leaves numbers unchanged. */
  get acceptsNumbers(): boolean {
    return !this.#isInteger
  }

  /** Truncates fractions if values are integers. Returns NaN for what is not a number, which is reported once. */
  accept(value: unknown): number {
    if (typeof value !== 'number') {
      this.#misuse(`'${this.#name}': expected a number, received a ${typeof value}; it is not recorded`)
      return Number.NaN
    }
    if (!this.#isInteger || Number.isInteger(value)) return value
    this.#misuse(`'${this.#name}': expected a whole number, received ${value}; fractions are truncated`)
    return Number.isFinite(value) ? Math.trunc(value) : Number.NaN
  }

  /** Counts and reports a value that is not recorded. */
  drop(expected: string, value: unknown): void {
    if (typeof value === 'number') {
      this.#misuse(`'${this.#name}': expected ${expected}, received ${value}; it is not recorded`)
    }
    const description = 'Measurements that were negative, NaN or infinite'
    this.#registry.counter('upkeep.meters.dropped', { meter: this.#name }, { description }).increment()
  }
}

// One class per kind, each with a method of its own: a common one, called with the kind, is not inlined.

class Instrument<M extends Meter> {
  protected readonly series: SeriesByAttributes<M>
  protected readonly rules: ValueRules
  /** Whether numbers are recorded unchanged. */
  protected readonly isPlain: boolean

  constructor(series: SeriesByAttributes<M>, rules: ValueRules) {
    this.series = series
    this.rules = rules
    this.isPlain = rules.acceptsNumbers
  }
}

/** OpenTelemetry's `Counter`: a counter per set of attributes. */
export class CounterInstrument extends Instrument<Counter> {
  add(value: number, attributes?: Attributes): void {
    const amount = this.isPlain && typeof value === 'number' ? value : this.rules.accept(value)
    if (!(amount >= 0 && amount < Number.POSITIVE_INFINITY)) {
      this.rules.drop('a finite number of 0 or more', value)
      return
    }
    const meter = this.series.find(attributes) ?? this.series.get(attributes)
    meter.increment(amount)
  }
}

/** OpenTelemetry's `Histogram`: a timer per set of attributes if its unit is `s`, else a summary. */
export class HistogramInstrument extends Instrument<Distribution> {
  record(value: number, attributes?: Attributes): void {
    const amount = this.isPlain && typeof value === 'number' ? value : this.rules.accept(value)
    if (!(amount >= 0 && amount < Number.POSITIVE_INFINITY)) {
      this.rules.drop('a finite number of 0 or more', value)
      return
    }
    const meter = this.series.find(attributes) ?? this.series.get(attributes)
    meter.record(amount)
  }
}

/** OpenTelemetry's `UpDownCounter`: a gauge per set of attributes, which is added to. */
export class UpDownCounterInstrument extends Instrument<ValueGauge> {
  add(value: number, attributes?: Attributes): void {
    const amount = this.isPlain && typeof value === 'number' ? value : this.rules.accept(value)
    // One NaN or infinity would make every later sum NaN or infinite.
    if (!Number.isFinite(amount)) {
      this.rules.drop('a finite number', value)
      return
    }
    const meter = this.series.find(attributes) ?? this.series.get(attributes)
    meter.add(amount)
  }
}

/** OpenTelemetry's `Gauge`: a gauge per set of attributes, which is set. */
export class GaugeInstrument extends Instrument<ValueGauge> {
  record(value: number, attributes?: Attributes): void {
    const amount = this.isPlain && typeof value === 'number' ? value : this.rules.accept(value)
    if (Number.isNaN(amount)) {
      this.rules.drop('a number', value)
      return
    }
    const meter = this.series.find(attributes) ?? this.series.get(attributes)
    meter.set(amount)
  }
}
