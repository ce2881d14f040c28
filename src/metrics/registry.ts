import type { Clock } from '../base/clock.ts'
import type { Counter } from './counter.ts'
import type { Exemplars } from './exemplars.ts'
import type { FunctionCounter } from './function-counter.ts'
import type { FunctionTimer, TimedTotal } from './function-timer.ts'
import type { Gauge, ReadGauge } from './gauge.ts'
import type { LongTaskTimer } from './long-task-timer.ts'
import type { Meter, StoredMeter } from './meter.ts'
import type { MeterFilter } from './meter-filter.ts'
import type {
  MeterOptions,
  MeterRegistry,
  MeterRegistryOptions,
  RegisterReading,
  SummaryOptions,
  TimerOptions,
} from './meter-registry.ts'
import * as request from './meter-requests.ts'
import { type MultiGauge, RowGauges } from './multi-gauge.ts'
import { parseNumber, parseTimedTotal } from './parse-reading.ts'
import { createReading, type Reading, type ReadingRules } from './reading.ts'
import { readingArguments } from './reading-arguments.ts'
import { RegistryParts } from './registry-parts.ts'
import type { MeterCatalog } from './series/meter-catalog.ts'
import type { MeterRequest } from './series/registration.ts'
import { hasOnlyTexts, readTags, type Tags } from './series/tags.ts'
import type { MeterSnapshot } from './snapshot.ts'
import type { Summary } from './summary.ts'
import type { TaggedMeters } from './tag-index/tagged-meters.ts'
import { startSample, type Timer, type UnboundSample } from './timer.ts'

const noOptions = {}
const noTags = {}

export function createMeterRegistry(options: MeterRegistryOptions = {}): MeterRegistry {
  return new Registry(options, undefined)
}

/** Creates a registry that takes exemplars from elsewhere, unless the options have a source of their own. */
export function createRegistryWith(exemplars: Exemplars | undefined, options: MeterRegistryOptions): MeterRegistry {
  return new Registry(options, exemplars)
}

class Registry implements MeterRegistry {
  readonly #clock: Clock
  readonly #parts: RegistryParts
  readonly #counters: MeterCatalog<Counter & StoredMeter>
  readonly #timers: MeterCatalog<Timer & StoredMeter>
  readonly #summaries: MeterCatalog<Summary & StoredMeter>

  constructor(options: MeterRegistryOptions, exemplars: Exemplars | undefined) {
    this.#parts = new RegistryParts(options, exemplars, (name, meter, description) => {
      this.counter(name, { meter }, { description }).increment()
    })
    this.#clock = this.#parts.clock
    const { counters, timers, summaries } = this.#parts.catalogs
    this.#counters = counters
    this.#timers = timers
    this.#summaries = summaries
  }

  counter(name: string, tags?: Tags, options: MeterOptions = noOptions): Counter {
    return (
      this.#counters.find(name, tags) ??
      this.#resolve(this.#counters, request.requestCounter(name, options, this.#parts.exemplars), tags)
    )
  }

  counters<const K extends readonly string[]>(
    name: string,
    keys: K,
    options: MeterOptions = noOptions,
  ): TaggedMeters<Counter, K> {
    return this.#tagged(this.#counters, keys, request.requestCounter(name, options, this.#parts.exemplars))
  }

  timer(name: string, tags?: Tags, options: TimerOptions = noOptions): Timer {
    return (
      this.#timers.find(name, tags) ??
      this.#resolve(this.#timers, request.requestTimer(name, options, this.#parts.setups), tags)
    )
  }

  timers<const K extends readonly string[]>(
    name: string,
    keys: K,
    options: TimerOptions = noOptions,
  ): TaggedMeters<Timer, K> {
    return this.#tagged(this.#timers, keys, request.requestTimer(name, options, this.#parts.setups))
  }

  summary(name: string, tags?: Tags, options: SummaryOptions = noOptions): Summary {
    return (
      this.#summaries.find(name, tags) ??
      this.#resolve(this.#summaries, request.requestSummary(name, options, this.#parts.setups), tags)
    )
  }

  summaries<const K extends readonly string[]>(
    name: string,
    keys: K,
    options: SummaryOptions = noOptions,
  ): TaggedMeters<Summary, K> {
    return this.#tagged(this.#summaries, keys, request.requestSummary(name, options, this.#parts.setups))
  }

  longTaskTimer(name: string, tags?: Tags, options: TimerOptions = noOptions): LongTaskTimer {
    const { catalogs, setups } = this.#parts
    return (
      catalogs.longTaskTimers.find(name, tags) ??
      this.#resolve(catalogs.longTaskTimers, request.requestLongTaskTimer(name, options, setups), tags)
    )
  }

  readonly gauge: RegisterReading<number, Gauge> = (name: string, ...given: unknown[]) => {
    const { tags, options, reading } = readingArguments<number>(name, given, this.#rules(name, parseNumber))
    const { gauges } = this.#parts.catalogs
    const known = gauges.find(name, tags)
    if (known !== undefined && !known.isGone) this.#parts.ignore(known)
    if (known?.isGone) known.follow(reading)
    return known ?? this.#resolve(gauges, request.requestGauge(name, options, reading), tags)
  }

  readonly functionCounter: RegisterReading<number, FunctionCounter> = (name: string, ...given: unknown[]) => {
    const { tags, options, reading } = readingArguments<number>(name, given, this.#rules(name, parseNumber))
    const { functionCounters } = this.#parts.catalogs
    const known = functionCounters.find(name, tags)
    if (known !== undefined) this.#parts.ignore(known)
    return known ?? this.#resolve(functionCounters, request.requestFunctionCounter(name, options, reading), tags)
  }

  readonly functionTimer: RegisterReading<TimedTotal, FunctionTimer> = (name: string, ...given: unknown[]) => {
    const { tags, options, reading } = readingArguments<TimedTotal>(name, given, this.#rules(name, parseTimedTotal))
    const { functionTimers } = this.#parts.catalogs
    const known = functionTimers.find(name, tags)
    if (known !== undefined) this.#parts.ignore(known)
    return known ?? this.#resolve(functionTimers, request.requestFunctionTimer(name, options, reading), tags)
  }

  multiGauge(name: string, options: MeterOptions = noOptions): MultiGauge {
    const { gauges } = this.#parts.catalogs
    const gaugeOf = (tags: Tags, reading: Reading<number>): ReadGauge =>
      gauges.find(name, tags) ?? this.#resolve(gauges, request.requestGauge(name, options, reading), tags)
    return new RowGauges(
      gaugeOf,
      (read) => createReading(read, this.#rules(name, parseNumber)),
      (gauge) => this.remove(gauge),
    )
  }

  start(): UnboundSample {
    return startSample(this.#clock)
  }

  filter(filter: MeterFilter): void {
    this.#parts.addFilter(filter)
  }

  remove(meter: Meter): boolean {
    return this.#parts.remove(meter)
  }

  close(): void {
    this.#parts.close()
  }

  names(): readonly string[] {
    return this.#parts.catalogs.names()
  }

  *snapshot(name?: string): Generator<MeterSnapshot> {
    for (const slice of this.#parts.slices(64, name)) yield* slice
  }

  slices(size = 64): Iterable<readonly MeterSnapshot[]> {
    return this.#parts.slices(size)
  }

  #rules<T>(name: string, parse: ReadingRules<T>['parse']): ReadingRules<T> {
    return { parse, failed: this.#parts.failing(name) }
  }

  #resolve<M extends StoredMeter>(catalog: MeterCatalog<M>, wanted: MeterRequest<M>, tags: Tags = noTags): M {
    const table = catalog.tableOf(wanted)
    if (hasOnlyTexts(tags)) return this.#parts.registration.resolve(catalog, wanted, readTags(tags), true)
    const meter = this.#parts.registration.resolve(catalog, wanted, readTags(tags), false)
    table.learn(tags)
    return meter
  }

  #tagged<M extends StoredMeter, const K extends readonly string[]>(
    catalog: MeterCatalog<M>,
    keys: K,
    wanted: MeterRequest<M>,
  ): TaggedMeters<M, K> {
    return catalog.tagged(wanted, keys, (tags, isNew) => this.#parts.registration.resolve(catalog, wanted, tags, isNew))
  }
}
