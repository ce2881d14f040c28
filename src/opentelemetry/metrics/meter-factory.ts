import type { Report } from '../../base/report.ts'
import type { Counter } from '../../metrics/counter.ts'
import type { ExtensibleRegistry } from '../../metrics/extensible-registry.ts'
import type { FunctionCounter } from '../../metrics/function-counter.ts'
import type { Meter } from '../../metrics/meter.ts'
import type { TagSet, Tags } from '../../metrics/series/tags.ts'
import type { Summary } from '../../metrics/summary.ts'
import type { ValueGauge } from '../../metrics/value-gauge.ts'
import { baseUnitOf } from '../../prometheus/ucum.ts'
import type { InstrumentDescription } from './instrument-description.ts'

/** The name and version of the library that an instrument or a tracer belongs to. */
export interface InstrumentationScope {
  readonly name: string
  readonly version: string | undefined
}

/** A timer or a summary. */
export type Distribution = Pick<Summary, 'id' | 'record'>

/** The registry in which meters are created, and the one for those that another meter leaves no place for. */
export interface Registries {
  readonly registry: ExtensibleRegistry
  /** A registry that is not read. */
  readonly discarded: ExtensibleRegistry
  readonly misuse: ReportMisuse
}

/**
 * Creates the meters of one instrument. Their name is the instrument's; the scope is in the tags `otel.scope.name` and
 * `otel.scope.version`, as in OpenTelemetry's specification for Prometheus: instruments of several libraries may have
 * one name. If the registry refuses a meter, because one of another kind has its name and tags, that is reported once,
 * and the meter works but is not read.
 */
export class MeterFactory {
  readonly #registries: Registries
  readonly #name: string
  readonly #scopeTags: Tags
  readonly #options: { readonly description: string | undefined; readonly baseUnit: string | undefined }
  readonly #distribution: { readonly description: string | undefined; readonly slo: readonly number[] }
  readonly #isTimer: boolean
  readonly #isExported: boolean
  readonly #discardedName: string

  /** `isExported`: whether the meters are created in the registry that is read. */
  constructor(
    instrument: InstrumentDescription,
    { name, version }: InstrumentationScope,
    registries: Registries,
    isExported: boolean,
  ) {
    const { description, unit } = instrument
    const baseUnit = unit === undefined ? undefined : baseUnitOf(unit)
    this.#registries = registries
    this.#name = instrument.name
    this.#scopeTags = {
      ...(name !== '' && { 'otel.scope.name': name }),
      ...(version !== undefined && { 'otel.scope.version': version }),
    }
    this.#options = { description, baseUnit }
    this.#isTimer = unit === 's'
    // The base unit of timers is seconds, and not an option.
    const named = this.#isTimer ? { description } : this.#options
    this.#distribution = { ...named, slo: histogramBounds(instrument) }
    this.#isExported = isExported
    this.#discardedName = `${instrument.kind} ${unit} ${instrument.name}`
  }

  counter(tags: TagSet): Counter {
    return this.#create(tags, (registry, name, all) => registry.counter(name, all, this.#options))
  }

  gauge(tags: TagSet): ValueGauge {
    return this.#create(tags, (registry, name, all) => registry.valueGauge(name, all, this.#options))
  }

  distribution(tags: TagSet): Distribution {
    return this.#create<Distribution>(tags, (registry, name, all) =>
      this.#isTimer ? registry.timer(name, all, this.#distribution) : registry.summary(name, all, this.#distribution),
    )
  }

  functionCounter(tags: TagSet, read: () => number): FunctionCounter {
    return this.#create(tags, (registry, name, all) => registry.functionCounter(name, all, read, this.#options))
  }

  /** Removes a meter, whose series is no longer read. */
  remove(meter: Meter): void {
    this.#registries.registry.remove(meter)
  }

  #create<M>(tags: TagSet, create: (registry: ExtensibleRegistry, name: string, tags: Tags) => M): M {
    const { registry, discarded, misuse } = this.#registries
    try {
      if (this.#isExported) return create(registry, this.#name, this.#withScope(tags))
    } catch (error) {
      misuse(`the instrument '${this.#name}' conflicts with another meter; it is not exported`, error)
    }
    return create(discarded, this.#discardedName, {})
  }

  #withScope({ keys, texts }: TagSet): Tags {
    // Without a prototype: `__proto__` may be a key.
    const tags: Record<string, string> = Object.create(null)
    for (let at = 0; at < keys.length; at++) tags[keys[at] as string] = texts[at] as string
    return Object.assign(tags, this.#scopeTags)
  }
}

/**
 * Returns the upper bounds of a histogram: the advised ones, or defaults by its unit. Bounds that are not positive and
 * finite are omitted, because a histogram has no negative values and a last bucket without a bound.
 */
function histogramBounds({ boundaries, unit }: InstrumentDescription): readonly number[] {
  if (boundaries !== undefined) return boundaries.filter((bound) => bound > 0 && bound < Number.POSITIVE_INFINITY)
  return unit === 's' ? boundsInSeconds : defaultBounds
}

/** The default of OpenTelemetry's specification, which suits milliseconds; without 0. */
const defaultBounds = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000]

/** What the semantic conventions advise for durations in seconds: the default would put all of them into one bucket. */
const boundsInSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Reports each mistake in the use of the API once: instruments are used at each request. */
export type ReportMisuse = (message: string, cause?: unknown) => void

/** Further messages are not reported: names may come from a client. */
const maxMessages = 1_000

export function createMisuseReport(report: Report): ReportMisuse {
  const reported = new Set<string>()
  return (message, cause) => {
    if (reported.has(message) || reported.size >= maxMessages) return
    reported.add(message)
    report(`opentelemetry: ${message}`, cause)
  }
}
