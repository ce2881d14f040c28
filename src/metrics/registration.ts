import { type CardinalityGuard, overflowTags } from './cardinality-guard.ts'
import type { DistributionOptions } from './distribution-options.ts'
import type { Family } from './family.ts'
import type { IdleExpiry } from './idle-expiry.ts'
import type { StoredMeter } from './meter.ts'
import type { MeterCatalog } from './meter-catalog.ts'
import type { FilterChain, MeterDescription } from './meter-filter.ts'
import { Series } from './series.ts'
import type { Tag } from './snapshot.ts'
import { formatTags, sortTags } from './tags.ts'

/** What a meter is asked for with, besides its tags. */
export interface MeterRequest<M> {
  readonly name: string
  readonly description: string | undefined
  readonly baseUnit: string | undefined
  /** Makes the meter of a series, once its options went through the filters. */
  create(series: Series, configure: (options: DistributionOptions) => DistributionOptions): M
  /** Whether what is recorded into many such meters can go into one. */
  readonly overflows: boolean
}

/** The way from a name and tags to the one meter that they mean, which is made where there is none. */
export class Registration {
  closed = false
  readonly #filters: FilterChain
  readonly #guard: CardinalityGuard
  readonly #expiry: IdleExpiry
  readonly #catalogs: readonly MeterCatalog<StoredMeter>[]
  readonly #age: () => number

  constructor(
    filters: FilterChain,
    guard: CardinalityGuard,
    expiry: IdleExpiry,
    catalogs: readonly MeterCatalog<StoredMeter>[],
    age: () => number,
  ) {
    this.#filters = filters
    this.#guard = guard
    this.#expiry = expiry
    this.#catalogs = catalogs
    this.#age = age
  }

  /** @throws TypeError when there is a meter of another kind with the same name and tags. */
  resolve<M extends StoredMeter>(catalog: MeterCatalog<M>, request: MeterRequest<M>, tags: readonly Tag[]): M {
    const alias = catalog.findAlias(request.name, tags)
    if (alias !== undefined) return alias
    if (!this.#filters.mapping) return this.obtain(catalog, request, tags, { name: request.name, tags })
    const mapped = this.#filters.map(describe(catalog, request, tags))
    const { name, description, baseUnit } = mapped
    const asked = { name: request.name, tags }
    return this.obtain(catalog, { ...request, name, description, baseUnit }, mapped.tags, asked)
  }

  /** The same past the filters that map. `asked` is what to remember the meter by, where that is not its id. */
  obtain<M extends StoredMeter>(
    catalog: MeterCatalog<M>,
    request: MeterRequest<M>,
    tags: readonly Tag[],
    asked?: Pick<MeterDescription, 'name' | 'tags'>,
  ): M {
    if (this.closed) return this.#createDetached(catalog, request, tags)
    const family = catalog.family(request)
    const meter =
      family.table.get(tags) ?? this.#expiry.wake(family, tags) ?? this.#make(catalog, request, tags, family)
    const isOverflow = meter === family.overflow
    const isItself = !this.#filters.mapping && meter.id.home === family
    if (asked !== undefined && !isOverflow && !isItself) catalog.addAlias(asked.name, asked.tags, meter)
    return meter
  }

  #make<M extends StoredMeter>(
    catalog: MeterCatalog<M>,
    request: MeterRequest<M>,
    tags: readonly Tag[],
    family: Family<M>,
  ): M {
    this.#refuseOtherKinds(catalog, request.name, tags)
    if (!this.#filters.accepts(() => describe(catalog, request, tags))) {
      return this.#createDetached(catalog, request, tags)
    }
    if (tags.length === 0 || this.#guard.admits(family)) return this.#create(catalog, request, tags, family)
    if (!request.overflows) return this.#createDetached(catalog, request, tags)
    family.overflow ??= this.#createOverflow(catalog, request, tags, family)
    return family.overflow
  }

  #create<M extends StoredMeter>(
    catalog: MeterCatalog<M>,
    request: MeterRequest<M>,
    tags: readonly Tag[],
    family: Family<M>,
  ): M {
    return family.create(tags, this.#age(), (series) =>
      request.create(series, (options) => this.#filters.configure(describe(catalog, request, tags), options)),
    )
  }

  #createOverflow<M extends StoredMeter>(
    catalog: MeterCatalog<M>,
    request: MeterRequest<M>,
    tags: readonly Tag[],
    family: Family<M>,
  ): M {
    const instead = overflowTags(family, tags)
    return family.table.get(instead) ?? this.#create(catalog, request, instead, family)
  }

  /** An ordinary meter that nobody reads. */
  #createDetached<M extends StoredMeter>(catalog: MeterCatalog<M>, request: MeterRequest<M>, tags: readonly Tag[]): M {
    const { name, description, baseUnit } = request
    const series = new Series(
      { name, description, baseUnit, epoch: catalog.epoch, tagsOf: () => tags },
      -1,
      this.#age(),
    )
    return request.create(series, (options) => options)
  }

  #refuseOtherKinds(catalog: MeterCatalog<StoredMeter>, name: string, tags: readonly Tag[]): void {
    for (const other of this.#catalogs) {
      if (other === catalog || !other.has(name, tags)) continue
      throw new TypeError(
        `There is a ${other.kind} '${name}' with the tags ${formatTags(tags)} already, it cannot be a ${catalog.kind} too`,
      )
    }
  }
}

function describe(
  { kind }: Pick<MeterDescription, 'kind'>,
  { name, description, baseUnit }: Omit<MeterDescription, 'kind' | 'tags'>,
  tags: readonly Tag[],
): MeterDescription {
  return { kind, name, tags: sortTags(tags), description, baseUnit }
}
