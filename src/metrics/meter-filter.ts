import {
  createSafeCall,
  ignoreRejection,
  isPromise,
  kindOf,
  messageOf,
  onlyFirst,
  unexpected,
} from '../base/callback.ts'
import { invalidOption } from '../base/errors.ts'
import type { Diagnose } from './diagnostic.ts'
import type { DistributionOptions } from './distribution/distribution-options.ts'
import { checkNaming, type MeterKindName } from './meter.ts'
import { mergeTags, tagText } from './series/tags.ts'
import type { Tag } from './snapshot.ts'

/** A meter that is about to be created. */
export interface MeterDescription {
  readonly kind: MeterKindName
  readonly name: string
  /** Sorted by key. */
  readonly tags: readonly Tag[]
  readonly description: string | undefined
  readonly baseUnit: string | undefined
}

/** The decision of a filter about a meter: it is created, is not created, or the next filter decides. */
export type FilterDecision = 'accept' | 'deny' | 'neutral'

/**
 * Maps, accepts and configures meters before they are created. Existing meters are not affected. If a function throws,
 * or returns a promise or another unexpected value, the failure is reported once and it has no effect on that meter.
 */
export interface MeterFilter {
  /** Returns the meter with another name, tags, description or unit. Receives what the filter before returned. */
  map?(meter: MeterDescription): MeterDescription
  /** Whether the meter is created: the first filter that is not neutral decides. If all are neutral, it is. */
  accept?(meter: MeterDescription): FilterDecision
  /** Returns the options of a timer, a summary or a long task timer. Receives what the filter before returned. */
  configure?(meter: MeterDescription, options: DistributionOptions): DistributionOptions
}

type FilterFunction = 'map' | 'accept' | 'configure'

/**
 * The filters of a registry, in the order in which they were added: first all `map`, then `accept`, then `configure`.
 */
export class FilterChain {
  readonly #diagnose: Diagnose
  readonly #maps: ((meter: MeterDescription) => MeterDescription | undefined)[] = []
  readonly #accepts: ((meter: MeterDescription) => FilterDecision | undefined)[] = []
  readonly #configures: ((meter: MeterDescription, options: DistributionOptions) => DistributionOptions | undefined)[] =
    []
  /** For failures that only the combined result of all filters causes. */
  readonly #mapFailed: (error: unknown, meter: MeterDescription) => void
  readonly #configureFailed: (error: unknown, meter: MeterDescription) => void

  /** @throws TypeError if one of them is not a filter. */
  constructor(filters: readonly MeterFilter[], diagnose: Diagnose) {
    this.#diagnose = diagnose
    this.#mapFailed = this.#failing('map')
    this.#configureFailed = this.#failing('configure')
    for (const filter of filters) this.add(filter)
  }

  /** Whether a meter may get another name or other tags than it is requested with. */
  get isMapping(): boolean {
    return this.#maps.length > 0
  }

  get isJudging(): boolean {
    return this.#accepts.length > 0
  }

  get isConfiguring(): boolean {
    return this.#configures.length > 0
  }

  /** @throws TypeError if it is not a filter. */
  add(filter: MeterFilter): void {
    checkFilter(filter)
    if (filter.map !== undefined) {
      const call = createSafeCall<[MeterDescription], MeterDescription | undefined>(
        readDescription,
        this.#failing('map'),
      )
      this.#maps.push((meter) => call((given) => filter.map?.(given), meter))
    }
    if (filter.accept !== undefined) {
      const call = createSafeCall<[MeterDescription], FilterDecision>(readDecision, this.#failing('accept'))
      this.#accepts.push((meter) => call((given) => filter.accept?.(given), meter))
    }
    if (filter.configure !== undefined) {
      const call = createSafeCall<[MeterDescription], DistributionOptions | undefined>(
        readOptions,
        this.#failing('configure'),
      )
      this.#configures.push((meter, options) => call((given) => filter.configure?.(given, options), meter))
    }
  }

  /** Returns the meter as mapped by the filters, or unchanged if `check` throws for the result. */
  map(meter: MeterDescription, check: (mapped: MeterDescription) => void): MeterDescription {
    const mapped = this.#maps.reduce((latest, map) => map(latest) ?? latest, meter)
    if (mapped === meter) return meter
    try {
      check(mapped)
      return mapped
    } catch (error) {
      this.#mapFailed(error, meter)
      return meter
    }
  }

  accepts(meter: MeterDescription): boolean {
    for (const accept of this.#accepts) {
      const decision = accept(meter) ?? 'neutral'
      if (decision !== 'neutral') return decision === 'accept'
    }
    return true
  }

  /** Calls `make` with the options as configured by the filters; with the original options if it throws for those. */
  configure<T>(meter: MeterDescription, options: DistributionOptions, make: (options: DistributionOptions) => T): T {
    const configured = this.#configures.reduce((latest, configure) => configure(meter, latest) ?? latest, options)
    if (configured === options) return make(options)
    try {
      return make(configured)
    } catch (error) {
      const made = make(options)
      this.#configureFailed(error, meter)
      return made
    }
  }

  /** Reports the first failure of a function of a filter. */
  #failing(what: FilterFunction): (error: unknown, meter: MeterDescription) => void {
    return onlyFirst((error, { name: meter }) => {
      const message = `metrics.filters: "${what}" failed for the meter '${meter}' and is ignored: ${messageOf(error)}`
      this.#diagnose({ kind: 'filter-failed', message, meter, error })
    })
  }
}

function checkFilter(filter: MeterFilter): void {
  const functions = typeof filter === 'object' && filter !== null ? [filter.map, filter.accept, filter.configure] : []
  const given = functions.filter((each) => each !== undefined)
  if (given.length > 0 && given.every((each) => typeof each === 'function')) return
  throw invalidOption(`metrics.filters: expected an object with map, accept or configure, received ${kindOf(filter)}`)
}

function readDescription(mapped: unknown, meter: MeterDescription): MeterDescription | undefined {
  if (mapped === undefined || mapped === null) return undefined
  if (typeof mapped !== 'object' || !('name' in mapped && 'tags' in mapped)) {
    throw unexpected('a meter with name and tags', mapped)
  }
  const { name, tags, description, baseUnit } = mapped as MeterDescription
  checkNaming({ name, description, baseUnit })
  if (!Array.isArray(tags)) throw invalidOption(`tags: ${unexpected('an array of { key, value }', tags).message}`)
  return { kind: meter.kind, name, tags: mergeTags([], tags.map(readTag)), description, baseUnit }
}

function readTag(tag: unknown): Tag {
  if (typeof tag !== 'object' || tag === null || !('key' in tag && 'value' in tag) || typeof tag.key !== 'string') {
    throw invalidOption(`tags: ${unexpected('an array of { key, value }', tag).message} in it`)
  }
  ignoreRejection(tag.value)
  return { key: tag.key, value: tagText(tag.key, tag.value) }
}

function readDecision(decision: unknown): FilterDecision {
  if (decision === 'accept' || decision === 'deny' || decision === 'neutral') return decision
  if (decision === undefined || decision === null) return 'neutral'
  throw unexpected("'accept', 'deny' or 'neutral'", decision)
}

/** The values of the options are checked when a meter is created with them. */
function readOptions(options: unknown): DistributionOptions | undefined {
  if (options === undefined || options === null) return undefined
  if (typeof options === 'object' && !Array.isArray(options) && !isPromise(options)) return options
  throw unexpected('options of a distribution', options)
}
