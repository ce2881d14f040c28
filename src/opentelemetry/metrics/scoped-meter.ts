import type {
  BatchObservableCallback,
  Counter,
  Gauge,
  Histogram,
  Meter,
  MetricOptions,
  Observable,
  ObservableCounter,
  ObservableGauge,
  ObservableUpDownCounter,
  UpDownCounter,
} from '@opentelemetry/api'
import {
  describeInstrument,
  type InstrumentDescription,
  type InstrumentKind,
  isInstrumentName,
} from './instrument-description.ts'
import { type InstrumentationScope, MeterFactory, type Registries } from './meter-factory.ts'
import { ObservableInstrument, ObservedSeries } from './observable-instrument.ts'
import type { Observations } from './observations.ts'
import { SeriesByAttributes } from './series-by-attributes.ts'
import {
  CounterInstrument,
  GaugeInstrument,
  HistogramInstrument,
  UpDownCounterInstrument,
  ValueRules,
} from './synchronous-instruments.ts'

/** What the meters of one provider share. */
export interface MeterParts extends Registries {
  readonly observations: Observations
}

/** The series of an instrument; instruments with the same name, kind and unit share them. */
interface InstrumentSeries<S> {
  readonly description: InstrumentDescription
  readonly series: S
}

/**
 * OpenTelemetry's `Meter` of one instrumentation scope.
 *
 * An instrument may be created several times. As the specification requires, equal ones share their series, and names
 * are compared without regard to case. One whose name has another kind or unit works, but is not exported, and is
 * reported: an exposition can have one meter per name only.
 */
export class ScopedMeter implements Meter {
  readonly #scope: InstrumentationScope
  readonly #parts: MeterParts
  /** By name, in lower case. */
  readonly #instruments = new Map<string, InstrumentSeries<unknown>>()

  constructor(scope: InstrumentationScope, parts: MeterParts) {
    this.#scope = scope
    this.#parts = parts
  }

  createCounter(name: string, options?: MetricOptions): Counter {
    const { series, rules } = this.#prepare('counter', name, options, (factory) => {
      return new SeriesByAttributes((tags) => factory.counter(tags))
    })
    return new CounterInstrument(series, rules)
  }

  createUpDownCounter(name: string, options?: MetricOptions): UpDownCounter {
    const { series, rules } = this.#prepare('upDownCounter', name, options, (factory) => {
      return new SeriesByAttributes((tags) => factory.gauge(tags))
    })
    return new UpDownCounterInstrument(series, rules)
  }

  createGauge(name: string, options?: MetricOptions): Gauge {
    const { series, rules } = this.#prepare('gauge', name, options, (factory) => {
      return new SeriesByAttributes((tags) => factory.gauge(tags))
    })
    return new GaugeInstrument(series, rules)
  }

  createHistogram(name: string, options?: MetricOptions): Histogram {
    const { series, rules } = this.#prepare('histogram', name, options, (factory) => {
      return new SeriesByAttributes((tags) => factory.distribution(tags))
    })
    return new HistogramInstrument(series, rules)
  }

  createObservableCounter(name: string, options?: MetricOptions): ObservableCounter {
    return this.#createObservable('observableCounter', name, options)
  }

  createObservableUpDownCounter(name: string, options?: MetricOptions): ObservableUpDownCounter {
    return this.#createObservable('observableUpDownCounter', name, options)
  }

  createObservableGauge(name: string, options?: MetricOptions): ObservableGauge {
    return this.#createObservable('observableGauge', name, options)
  }

  addBatchObservableCallback(callback: BatchObservableCallback, observables: Observable[]): void {
    this.#parts.observations.addBatch(callback, observables)
  }

  removeBatchObservableCallback(callback: BatchObservableCallback, observables: Observable[]): void {
    this.#parts.observations.removeBatch(callback, observables)
  }

  #createObservable(kind: InstrumentKind, name: string, options: MetricOptions | undefined): ObservableInstrument {
    const isCounter = kind === 'observableCounter'
    const { series, rules } = this.#prepare(kind, name, options, (factory) => new ObservedSeries(factory, isCounter))
    return new ObservableInstrument(series, rules, isCounter, this.#parts.observations)
  }

  /** Returns the series of an instrument, which are created unless an equal instrument exists, and its rules. */
  #prepare<S>(
    kind: InstrumentKind,
    given: unknown,
    options: MetricOptions | undefined,
    create: (factory: MeterFactory) => S,
  ): { readonly series: S; readonly rules: ValueRules } {
    const { registry, misuse } = this.#parts
    const name = this.#checkName(given)
    const description = describeInstrument(kind, name, options)
    const rules = new ValueRules(description, registry, misuse)
    const known = this.#instruments.get(name.toLowerCase())
    // Safe: the kind of an instrument determines the type of its series.
    if (known !== undefined && isEqual(known.description, description)) return { series: known.series as S, rules }
    const isExported = known === undefined && name !== ''
    const series = create(new MeterFactory(description, this.#scope, this.#parts, isExported))
    if (isExported) this.#instruments.set(name.toLowerCase(), { description, series })
    if (known !== undefined) this.#reportConflict(description, known.description)
    return { series, rules }
  }

  /** Reports a name that violates the rules. Returns it, since it can be exported; an empty string if it cannot. */
  #checkName(name: unknown): string {
    if (isInstrumentName(name)) return name
    const rule = 'a letter, then at most 254 letters, digits, "_", ".", "-" or "/"'
    this.#parts.misuse(`the name of an instrument: expected ${rule}, received ${JSON.stringify(name)}`)
    return typeof name === 'string' ? name : ''
  }

  #reportConflict(wanted: InstrumentDescription, known: InstrumentDescription): void {
    const format = ({ kind, unit = '' }: InstrumentDescription) => `${kind} in ${JSON.stringify(unit)}`
    this.#parts.misuse(
      `the instrument '${wanted.name}' of '${this.#scope.name}' exists as ${format(known)}; ` +
        `one as ${format(wanted)} is not exported: give it another name`,
    )
  }
}

function isEqual(one: InstrumentDescription, other: InstrumentDescription): boolean {
  return one.kind === other.kind && one.unit === other.unit
}
