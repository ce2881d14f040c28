import type { BatchObservableCallback, ObservableCallback } from '@opentelemetry/api'
import type { Meter } from '../../metrics/meter.ts'
import type { TagSet } from '../../metrics/series/tags.ts'
import { TagTable } from '../../metrics/tag-index/tag-table.ts'
import type { ValueGauge } from '../../metrics/value-gauge.ts'
import type { MeterFactory } from './meter-factory.ts'
import { attributeTags, findByAttributes, type GivenAttributes, learnAttributes } from './series-by-attributes.ts'
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

/** One set of attributes of an observable instrument: its latest value, and the meter that shows it. */
class ObservedValue {
  readonly tags: TagSet
  row = -1
  /** The round of observations in which it was last observed. */
  round = 0
  value = 0
  meter: Meter | undefined = undefined

  constructor(tags: TagSet) {
    this.tags = tags
  }
}

/** The series of an observable instrument: those that its callbacks observed in the latest round. */
export class ObservedSeries {
  readonly #factory: MeterFactory
  readonly #isCounter: boolean
  readonly #values = new TagTable<ObservedValue>({
    moved: (value, row) => {
      value.row = row
    },
  })

  constructor(factory: MeterFactory, isCounter: boolean) {
    this.#factory = factory
    this.#isCounter = isCounter
  }

  /** Returns the value of some attributes, which becomes a series when it is set. */
  at(attributes: GivenAttributes): ObservedValue {
    const known = findByAttributes(this.#values, attributes)
    if (known !== undefined) return known
    const tags = attributeTags(attributes)
    const value = this.#values.get(tags.keys, tags.texts) ?? this.#add(tags)
    learnAttributes(this.#values, attributes, tags)
    return value
  }

  #add(tags: TagSet): ObservedValue {
    const value = new ObservedValue(tags)
    value.row = this.#values.put(tags, value)
    return value
  }

  set(observed: ObservedValue, value: number, round: number): void {
    observed.round = round
    observed.value = value
    if (this.#isCounter) {
      observed.meter ??= this.#factory.functionCounter(observed.tags, () => observed.value)
      return
    }
    observed.meter ??= this.#factory.gauge(observed.tags)
    // Safe: unless the instrument counts, its meters are gauges.
    const gauge = observed.meter as ValueGauge
    gauge.set(value)
  }

  /** Removes the series that were not observed in this round. */
  removeAllBut(round: number): void {
    const all = [this.#values.untagged, ...this.#values.entries].filter((each) => each !== undefined)
    const leaving = all.filter((each) => each.round !== round)
    if (leaving.length === 0) return
    // A filter may map the attributes of several values to one series.
    const staying = new Set(all.filter((each) => each.round === round).map(({ meter }) => meter))
    for (const each of leaving) {
      this.#values.remove(each.row)
      if (each.meter !== undefined && !staying.has(each.meter)) this.#factory.remove(each.meter)
    }
  }
}
