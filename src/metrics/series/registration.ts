import type { DistributionOptions } from '../distribution/distribution-options.ts'
import type { StoredMeter } from '../meter.ts'
import type { FilterChain, MeterDescription } from '../meter-filter.ts'
import { type CardinalityGuard, overflowTags } from './cardinality-guard.ts'
import { Family } from './family.ts'
import type { IdleExpiry } from './idle-expiry.ts'
import type { MeterCatalog } from './meter-catalog.ts'
import { Series } from './series.ts'
import { formatTags, listTags, type TagSet, tagSet } from './tags.ts'

/** Calls `make` with the options of a distribution, as filters configure them. */
export type Configure = <T>(options: DistributionOptions, make: (options: DistributionOptions) => T) => T

/** What a meter is asked for with, besides its tags. */
export interface MeterRequest<M> {
  readonly name: string
  readonly description: string | undefined
  readonly baseUnit: string | undefined
  /** Makes the meter of a series; its options are to go through `configure`. */
  create(series: Series, configure: Configure): M
  /** Whether what is recorded into many such meters can go into one. */
  readonly overflows: boolean
}

/** The way from a name and tags to the one meter that they mean, which is made where there is none. */
export class Registration {
  closed = false
  readonly #filters: FilterChain
  readonly #guard: CardinalityGuard
  readonly #expiry: IdleExpiry
  readonly #age: () => number

  constructor(filters: FilterChain, guard: CardinalityGuard, expiry: IdleExpiry, age: () => number) {
    this.#filters = filters
    this.#guard = guard
    this.#expiry = expiry
    this.#age = age
  }

  /**
   * `isNew` says that the tags have no meter of their own yet.
   *
   * @throws TypeError when there is a meter of another kind with the same name and tags.
   */
  resolve<M extends StoredMeter>(catalog: MeterCatalog<M>, request: MeterRequest<M>, tags: TagSet, isNew: boolean): M {
    const alias = catalog.findAlias(request.name, tags)
    if (alias !== undefined) return alias
    if (this.#filters.mapping) return this.#resolveMapped(catalog, request, tags)
    const meter = this.obtain(catalog, request, tags, isNew)
    // A meter that was denied: it is found by this alias the next time, without asking the filters again.
    if (!(meter.id.home instanceof Family)) catalog.addAlias(request.name, tags, meter)
    return meter
  }

  /** The same past the filters that map. */
  obtain<M extends StoredMeter>(
    catalog: MeterCatalog<M>,
    request: MeterRequest<M>,
    tags: TagSet,
    isNew: boolean = false,
  ): M {
    if (this.closed) return this.#createDetached(catalog, request, tags)
    const family = catalog.family(request)
    const known = isNew ? undefined : family.table.get(tags.keys, tags.texts)
    return known ?? this.#expiry.wake(family, tags) ?? this.#make(catalog, request, tags, family)
  }

  #resolveMapped<M extends StoredMeter>(catalog: MeterCatalog<M>, request: MeterRequest<M>, tags: TagSet): M {
    const {
      name,
      description,
      baseUnit,
      tags: mapped,
    } = this.#filters.map(describe(catalog, request, tags), (changed) =>
      refuseOtherKinds(catalog.family(changed), tagSet(changed.tags)),
    )
    const meter = this.obtain(catalog, { ...request, name, description, baseUnit }, tagSet(mapped))
    if (catalog.families.get(name)?.overflow !== meter) catalog.addAlias(request.name, tags, meter)
    return meter
  }

  #make<M extends StoredMeter>(catalog: MeterCatalog<M>, request: MeterRequest<M>, tags: TagSet, family: Family<M>): M {
    refuseOtherKinds(family, tags)
    if (this.#filters.judging && !this.#filters.accepts(describe(catalog, request, tags))) {
      return this.#createDetached(catalog, request, tags)
    }
    if (tags.keys.length === 0 || this.#guard.admits(family, request.overflows))
      return this.#create(catalog, request, tags, family)
    if (!request.overflows) return this.#createDetached(catalog, request, tags)
    family.overflow ??= this.#createOverflow(catalog, request, tags, family)
    return family.overflow
  }

  #create<M extends StoredMeter>(
    catalog: MeterCatalog<M>,
    request: MeterRequest<M>,
    tags: TagSet,
    family: Family<M>,
  ): M {
    const configure: Configure = this.#filters.configuring
      ? (options, make) => this.#filters.configure(describe(catalog, request, tags), options, make)
      : unchanged
    return family.add(tags, request.create(new Series(family, -1, this.#age()), configure))
  }

  #createOverflow<M extends StoredMeter>(
    catalog: MeterCatalog<M>,
    request: MeterRequest<M>,
    tags: TagSet,
    family: Family<M>,
  ): M {
    const instead = overflowTags(family, tags)
    return family.table.get(instead.keys, instead.texts) ?? this.#create(catalog, request, instead, family)
  }

  /** An ordinary meter that nobody reads. */
  #createDetached<M extends StoredMeter>(catalog: MeterCatalog<M>, request: MeterRequest<M>, tags: TagSet): M {
    const { name, description, baseUnit } = request
    const series = new Series(
      { name, description, baseUnit, epoch: catalog.epoch, tagsOf: () => tags },
      -1,
      this.#age(),
    )
    return request.create(series, unchanged)
  }
}

function refuseOtherKinds<M extends StoredMeter>({ kind, name, relatives }: Family<M>, tags: TagSet): void {
  for (const other of relatives) {
    if (other.table.get(tags.keys, tags.texts) === undefined) continue
    throw new TypeError(
      `There is a ${other.kind} '${name}' with the tags ${formatTags(tags)} already, it cannot be a ${kind} too`,
    )
  }
}

function unchanged<T>(options: DistributionOptions, make: (options: DistributionOptions) => T): T {
  return make(options)
}

function describe(
  { kind }: Pick<MeterDescription, 'kind'>,
  { name, description, baseUnit }: Omit<MeterDescription, 'kind' | 'tags'>,
  tags: TagSet,
): MeterDescription {
  return { kind, name, tags: listTags(tags), description, baseUnit }
}
