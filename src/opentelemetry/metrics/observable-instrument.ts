import type { BatchObservableCallback, ObservableCallback } from '@opentelemetry/api'
import type { GivenAttributes } from './attribute-tags.ts'
import type { ObservedSeries, ObservedValue } from './observed-series.ts'
import type { ValueRules } from './synchronous-instruments.ts'

/** Callbacks are registered where they are called. */
export interface ObservableCallbacks {
  add(callback: ObservableCallback | BatchObservableCallback, observables: readonly ObservableInstrument[]): void
  remove(callback: ObservableCallback | BatchObservableCallback, observables: readonly ObservableInstrument[]): void
}

/** OpenTelemetry's `ObservableCounter`, `ObservableUpDownCounter` or `ObservableGauge`. */
export class ObservableInstrument {
  readonly series: ObservedSeries
  readonly #rules: ValueRules
  readonly #isCounter: boolean
  readonly #callbacks: ObservableCallbacks

  constructor(series: ObservedSeries, rules: ValueRules, isCounter: boolean, callbacks: ObservableCallbacks) {
    this.series = series
    this.#rules = rules
    this.#isCounter = isCounter
    this.#callbacks = callbacks
  }

  addCallback(callback: ObservableCallback): void {
    this.#callbacks.add(callback, [this])
  }

  removeCallback(callback: ObservableCallback): void {
    this.#callbacks.remove(callback, [this])
  }

  /** Converts what a callback observes; `undefined` if it is not recorded. */
  observation(value: unknown, attributes: GivenAttributes): Observation | undefined {
    const number = this.#rules.accept(value)
    const isValid = this.#isCounter ? number >= 0 && number < Number.POSITIVE_INFINITY : !Number.isNaN(number)
    if (isValid) return { series: this.series, at: this.series.at(attributes), value: number }
    this.#rules.drop(this.#isCounter ? 'a finite number of 0 or more' : 'a number', value)
    return undefined
  }
}

/** A value that a callback has observed. */
export interface Observation {
  readonly series: ObservedSeries
  readonly at: ObservedValue
  readonly value: number
}
