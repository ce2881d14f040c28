import { type Clock, systemClock } from '../base/clock.ts'
import type { Counter } from './counter.ts'
import { Diagnostics } from './diagnostic.ts'
import type { DistributionOptions } from './distribution/distribution-options.ts'
import { DistributionSetups } from './distribution/distribution-setup.ts'
import type { RollingWindow } from './distribution/rolling-window.ts'
import { createExemplars, type Exemplars } from './exemplar.ts'
import type { ExtensibleRegistry } from './extensible-registry.ts'
import { type FunctionCounter, functionCounterKind } from './function-counter.ts'
import { type FunctionTimer, functionTimerKind, type TimedTotal } from './function-timer.ts'
import { type Gauge, gaugeKind } from './gauge.ts'
import type { LongTaskTimer } from './long-task-timer.ts'
import { checkMeterNames, type Meter, type MeterOptions, type StoredMeter } from './meter.ts'
import { FilterChain, type MeterFilter } from './meter-filter.ts'
import { createCatalogs, type MeterCatalogs } from './meter-kinds.ts'
import {
  createReading,
  parseReadingArguments,
  type ReadingKind,
  type ReadingRules,
  type ReadMeterOptions,
  type RegisterReading,
} from './meter-reading.ts'
import type { MeterRegistry, MeterRegistryOptions } from './meter-registry.ts'
import { type MultiGauge, RowGauges } from './multi-gauge.ts'
import { checkedOptions, createWindow, expiryLimits } from './registry-options.ts'
import { CardinalityGuard } from './series/cardinality-guard.ts'
import type { Family } from './series/family.ts'
import { IdleExpiry } from './series/idle-expiry.ts'
import type { MeterCatalog } from './series/meter-catalog.ts'
import { MeterStore } from './series/meter-store.ts'
import { Registration } from './series/registration.ts'
import { createAgeReader } from './series/series.ts'
import { mergeTags, type Tags, tagSet } from './series/tags.ts'
import type { MeterId, MeterSnapshot } from './snapshot.ts'
import type { Summary, SummaryOptions } from './summary.ts'
import type { TaggedMeters } from './tag-index/tagged-meters.ts'
import { startSample, type Timer, type TimerOptions, type UnboundSample } from './timer.ts'
import type { ValueGauge } from './value-gauge.ts'

type Keys = readonly string[]

const noOptions = {}
/** The beginning of the names of the registry's meters about itself. */
const ownPrefix = 'upkeep.meters.'

/** Creates a registry without meters. Throws `TypeError` for an unknown option, `RangeError` for one out of range. */
export function createMeterRegistry(options: MeterRegistryOptions = {}): MeterRegistry {
  return new Registry(checkedOptions(options), undefined)
}

/** Like `createMeterRegistry`; `exemplars` are used unless the options have a source of exemplars. */
export function createRegistryWith(exemplars: Exemplars | undefined, options: MeterRegistryOptions): MeterRegistry {
  return new Registry(options, exemplars)
}

class Registry implements ExtensibleRegistry {
  readonly #clock: Clock
  readonly #diagnostics: Diagnostics
  readonly #filters: FilterChain
  readonly #window: RollingWindow
  readonly #store: MeterStore
  readonly #catalogs: MeterCatalogs
  readonly #expiry: IdleExpiry
  readonly #registration: Registration
  readonly #updates = new Set<() => Promise<void>>()

  constructor(options: MeterRegistryOptions, defaultExemplars: Exemplars | undefined) {
    const { clock = systemClock, filters = [], maximumSeriesPerMeter = 1_000, exemplar } = options
    this.#clock = clock
    this.#diagnostics = new Diagnostics(options.diagnose)
    this.#filters = new FilterChain(filters, this.#diagnostics.report)
    this.#window = createWindow(clock, options.window)
    this.#store = new MeterStore(clock.wallTime())
    this.#catalogs = createCatalogs(this.#store)
    this.#store.filtersChanged(this.#filters.isMapping)
    this.#expiry = new IdleExpiry(clock, expiryLimits(this.#store, options.expireAfter), this.#store)
    const exemplars =
      exemplar === undefined
        ? defaultExemplars
        : createExemplars(exemplar, clock, (error) => this.#diagnostics.exemplarFailed(error))
    this.#registration = new Registration({
      filters: this.#filters,
      guard: new CardinalityGuard(maximumSeriesPerMeter, this.#diagnostics.report, (meter) =>
        this.#countRefused(meter),
      ),
      expiry: this.#expiry,
      setups: new DistributionSetups({
        clock,
        window: this.#window,
        exemplars,
        drop: (id) => this.#countDropped(id),
        timerOfError: (id, error, wanted) => this.#timerOfError(id, error, wanted),
      }),
      exemplars,
      age: createAgeReader(clock),
    })
  }

  counter(name: string, tags?: Tags, options: MeterOptions = noOptions): Counter {
    return this.#catalogs.counters.find(name, tags) ?? this.#get(this.#catalogs.counters, name, tags, options)
  }

  counters<const K extends Keys>(name: string, keys: K, options: MeterOptions = noOptions): TaggedMeters<Counter, K> {
    return this.#registration.tagged(this.#catalogs.counters, name, keys, options)
  }

  timer(name: string, tags?: Tags, options: TimerOptions = noOptions): Timer {
    return this.#catalogs.timers.find(name, tags) ?? this.#get(this.#catalogs.timers, name, tags, options)
  }

  timers<const K extends Keys>(name: string, keys: K, options: TimerOptions = noOptions): TaggedMeters<Timer, K> {
    return this.#registration.tagged(this.#catalogs.timers, name, keys, options)
  }

  summary(name: string, tags?: Tags, options: SummaryOptions = noOptions): Summary {
    return this.#catalogs.summaries.find(name, tags) ?? this.#get(this.#catalogs.summaries, name, tags, options)
  }

  summaries<const K extends Keys>(
    name: string,
    keys: K,
    options: SummaryOptions = noOptions,
  ): TaggedMeters<Summary, K> {
    return this.#registration.tagged(this.#catalogs.summaries, name, keys, options)
  }

  longTaskTimer(name: string, tags?: Tags, options: TimerOptions = noOptions): LongTaskTimer {
    const { longTaskTimers } = this.#catalogs
    return longTaskTimers.find(name, tags) ?? this.#get(longTaskTimers, name, tags, options)
  }

  readonly gauge: RegisterReading<number, Gauge> = (name: string, ...given: unknown[]) =>
    this.#getReading(gaugeKind, this.#catalogs.gauges, name, given)

  readonly functionCounter: RegisterReading<number, FunctionCounter> = (name: string, ...given: unknown[]) =>
    this.#getReading(functionCounterKind, this.#catalogs.functionCounters, name, given)

  readonly functionTimer: RegisterReading<TimedTotal, FunctionTimer> = (name: string, ...given: unknown[]) =>
    this.#getReading(functionTimerKind, this.#catalogs.functionTimers, name, given)

  multiGauge(name: string, options: MeterOptions = noOptions): MultiGauge {
    checkMeterNames(`meter '${name}'`, options)
    const { gauges } = this.#catalogs
    return new RowGauges({
      get: (tags, reading) => gauges.find(name, tags) ?? this.#get(gauges, name, tags, { ...options, reading }),
      read: (read) => createReading(read, this.#rules(name, gaugeKind)),
      remove: (gauge) => this.remove(gauge),
    })
  }

  valueGauge(name: string, tags: Tags, options: MeterOptions = noOptions): ValueGauge {
    return this.#catalogs.valueGauges.find(name, tags) ?? this.#get(this.#catalogs.valueGauges, name, tags, options)
  }

  start(): UnboundSample {
    return startSample(this.#clock)
  }

  filter(filter: MeterFilter): void {
    this.#filters.add(filter)
    this.#store.filtersChanged(this.#filters.isMapping)
    const [name] = this.#store.names()
    if (name !== undefined) this.#diagnostics.lateFilter(name)
  }

  remove(meter: Meter): boolean {
    return this.#store.remove(meter)
  }

  close(): void {
    this.#registration.isClosed = true
    this.#window.stop()
    this.#expiry.stop()
  }

  onRefresh(update: () => Promise<void>): () => void {
    this.#updates.add(update)
    return () => void this.#updates.delete(update)
  }

  async refresh(): Promise<void> {
    await Promise.all([...this.#updates].map((update) => update()))
  }

  families(): Iterable<Family<StoredMeter>> {
    return this.#store.families()
  }

  names(): readonly string[] {
    return this.#store.names()
  }

  *snapshot(name?: string): Generator<MeterSnapshot> {
    for (const slice of this.#store.slices(64, name)) yield* slice
  }

  slices(size = 64): Iterable<readonly MeterSnapshot[]> {
    return this.#store.slices(size)
  }

  #get<M extends StoredMeter, O extends MeterOptions>(
    catalog: MeterCatalog<M, O>,
    name: string,
    tags: Tags = {},
    options: O,
  ): M {
    return this.#registration.get(catalog, name, tags, options)
  }

  #getReading<M extends StoredMeter, T>(
    kind: ReadingKind<M, T>,
    catalog: MeterCatalog<M, ReadMeterOptions<T>>,
    name: string,
    given: readonly unknown[],
  ): M {
    const { tags, options } = parseReadingArguments(name, given, this.#rules(name, kind))
    const known = catalog.find(name, tags)
    if (known === undefined) return this.#get(catalog, name, tags, options)
    const isReplaced = kind.follow?.(known, options.reading) ?? false
    if (!isReplaced && this.#store.has(known)) this.#diagnostics.registeredBefore(name)
    return known
  }

  #rules<M extends StoredMeter, T>(name: string, { parse }: ReadingKind<M, T>): ReadingRules<T> {
    return { parse, failed: (error) => this.#diagnostics.readingFailed(name, error) }
  }

  #countRefused(meter: string): void {
    if (meter.startsWith(ownPrefix)) return
    const description = 'Lookups past the maximum of series of a meter'
    this.counter(`${ownPrefix}overflow`, { meter }, { description }).increment()
  }

  #countDropped({ name }: MeterId): void {
    const description = 'Measurements that were negative, NaN or infinite'
    this.counter(`${ownPrefix}dropped`, { meter: name }, { description }).increment()
  }

  #timerOfError(id: MeterId, error: string, options: DistributionOptions): Timer | undefined {
    const { timers } = this.#catalogs
    try {
      const tags = tagSet(mergeTags(id.tags, [{ key: 'error', value: error }]))
      const request = timers.request(id.name, { ...options, description: id.description })
      return this.#registration.getUnmapped(timers, request, tags)
    } catch {
      return undefined
    }
  }
}
