import { withErrorCode } from '../../base/errors.ts'
import type { DistributionSetups } from '../distribution/distribution-setup.ts'
import type { Exemplars } from '../exemplar.ts'
import type { MeterOptions, StoredMeter } from '../meter.ts'
import type { FilterChain, MeterDescription } from '../meter-filter.ts'
import type { MeterContext } from '../meter-kind.ts'
import type { TaggedMeters } from '../tag-index/tagged-meters.ts'
import { type CardinalityGuard, overflowTags } from './cardinality-guard.ts'
import { Family } from './family.ts'
import type { IdleExpiry } from './idle-expiry.ts'
import type { MeterCatalog, MeterRequest } from './meter-catalog.ts'
import { Series } from './series.ts'
import { formatTags, hasOnlyTexts, listTags, readTags, type TagSet, type Tags, tagSet } from './tags.ts'

interface RegistrationParts {
  readonly filters: FilterChain
  readonly guard: CardinalityGuard
  readonly expiry: IdleExpiry
  readonly setups: DistributionSetups
  readonly exemplars: Exemplars | undefined
  /** Returns the whole milliseconds since the epoch of the catalogs. */
  readonly age: () => number
}

/** Finds the one meter of a name and tags, or creates it: past the filters, within the limit of series. */
export class Registration {
  /** Whether meters that are created from now on are not stored. */
  isClosed = false
  readonly #parts: RegistrationParts
  readonly #context: MeterContext

  constructor(parts: RegistrationParts) {
    this.#parts = parts
    const { exemplars, setups } = parts
    this.#context = { exemplars, setupOf: (options, defaults) => setups.of(options, defaults) }
  }

  /**
   * Returns the meter of a name and tags that `catalog.find` has not found.
   *
   * @throws TypeError if there is an unknown option, or a meter of another kind with the same name and tags.
   */
  get<M extends StoredMeter, O extends MeterOptions>(
    catalog: MeterCatalog<M, O>,
    name: string,
    tags: Tags,
    options: O,
  ): M {
    catalog.checkNames(name, options)
    const request = catalog.request(name, options)
    const table = catalog.tableOf(request)
    if (hasOnlyTexts(tags)) return this.#resolve(catalog, request, readTags(tags), true)
    const meter = this.#resolve(catalog, request, readTags(tags), false)
    table.learn(tags)
    return meter
  }

  /** Returns the meters of a name by the values of some tag keys. */
  tagged<M extends StoredMeter, O extends MeterOptions, const K extends readonly string[]>(
    catalog: MeterCatalog<M, O>,
    name: string,
    keys: K,
    options: O,
  ): TaggedMeters<M, K> {
    catalog.checkNames(name, options)
    const request = catalog.request(name, options)
    return catalog.tagged(request, keys, (tags, isNew) => this.#resolve(catalog, request, tags, isNew))
  }

  /** Like `get`, but filters do not change the name or the tags. */
  getUnmapped<M extends StoredMeter, O extends MeterOptions>(
    catalog: MeterCatalog<M, O>,
    request: MeterRequest<O>,
    tags: TagSet,
    isNew: boolean = false,
  ): M {
    if (this.isClosed) return this.#createDetached(catalog, request, tags)
    const family = catalog.family(request)
    const known = isNew ? undefined : family.table.get(tags.keys, tags.texts)
    return known ?? this.#parts.expiry.wake(family, tags) ?? this.#createWithin(family, catalog, request, tags)
  }

  /** `isNew`: whether it is certain that the tags have no meter yet. */
  #resolve<M extends StoredMeter, O extends MeterOptions>(
    catalog: MeterCatalog<M, O>,
    request: MeterRequest<O>,
    tags: TagSet,
    isNew: boolean,
  ): M {
    const alias = catalog.findAlias(request.name, tags)
    if (alias !== undefined) return alias
    if (this.#parts.filters.isMapping) return this.#resolveMapped(catalog, request, tags)
    const meter = this.getUnmapped(catalog, request, tags, isNew)
    // A denied meter is in no family: the alias spares the filters the next time.
    if (!(meter.id.home instanceof Family)) catalog.addAlias(request.name, tags, meter)
    return meter
  }

  #resolveMapped<M extends StoredMeter, O extends MeterOptions>(
    catalog: MeterCatalog<M, O>,
    request: MeterRequest<O>,
    tags: TagSet,
  ): M {
    const mapped = this.#parts.filters.map(describe(catalog, request, tags), (changed) =>
      refuseOtherKinds(catalog.family(changed), tagSet(changed.tags)),
    )
    const { name, description, baseUnit } = mapped
    const { options } = request
    const meter = this.getUnmapped(catalog, { name, description, baseUnit, options }, tagSet(mapped.tags))
    if (catalog.families.get(name)?.overflow !== meter) catalog.addAlias(request.name, tags, meter)
    return meter
  }

  /** Creates a meter in its family, unless a filter denies it or the family has its maximum of series. */
  #createWithin<M extends StoredMeter, O extends MeterOptions>(
    family: Family<M>,
    catalog: MeterCatalog<M, O>,
    request: MeterRequest<O>,
    tags: TagSet,
  ): M {
    refuseOtherKinds(family, tags)
    const { filters, guard } = this.#parts
    if (filters.isJudging && !filters.accepts(describe(catalog, request, tags))) {
      return this.#createDetached(catalog, request, tags)
    }
    const { overflows } = catalog.kind
    if (tags.keys.length === 0 || guard.admits(family, overflows)) return this.#create(family, catalog, request, tags)
    if (!overflows) return this.#createDetached(catalog, request, tags)
    family.overflow ??= this.#createOverflow(family, catalog, request, tags)
    return family.overflow
  }

  #create<M extends StoredMeter, O extends MeterOptions>(
    family: Family<M>,
    catalog: MeterCatalog<M, O>,
    request: MeterRequest<O>,
    tags: TagSet,
  ): M {
    const { filters, age } = this.#parts
    const context = filters.isConfiguring ? this.#configuring(describe(catalog, request, tags)) : this.#context
    return family.add(tags, catalog.kind.create(new Series(family, -1, age()), request.options, context))
  }

  #createOverflow<M extends StoredMeter, O extends MeterOptions>(
    family: Family<M>,
    catalog: MeterCatalog<M, O>,
    request: MeterRequest<O>,
    tags: TagSet,
  ): M {
    const instead = overflowTags(family, tags)
    return family.table.get(instead.keys, instead.texts) ?? this.#create(family, catalog, request, instead)
  }

  /** Creates a meter that works but is in no family, so it is never read. */
  #createDetached<M extends StoredMeter, O extends MeterOptions>(
    { kind, epoch }: MeterCatalog<M, O>,
    { name, description, baseUnit, options }: MeterRequest<O>,
    tags: TagSet,
  ): M {
    const series = new Series({ name, description, baseUnit, epoch, tagsOf: () => tags }, -1, this.#parts.age())
    return kind.create(series, options, this.#context)
  }

  #configuring(meter: MeterDescription): MeterContext {
    const { filters, setups, exemplars } = this.#parts
    return {
      exemplars,
      setupOf: (options, defaults) =>
        filters.configure(meter, options, (configured) => setups.of(configured, defaults)),
    }
  }
}

function refuseOtherKinds<M extends StoredMeter>({ kind, name, relatives }: Family<M>, tags: TagSet): void {
  for (const other of relatives) {
    if (other.table.get(tags.keys, tags.texts) === undefined) continue
    throw withErrorCode(
      new TypeError(
        `There is already a ${other.kind} '${name}' with the tags ${formatTags(tags)}; ` +
          `expected another name or other tags for a ${kind}`,
      ),
      'UPKEEP_EMETER',
    )
  }
}

function describe<M extends StoredMeter, O extends MeterOptions>(
  { kind }: MeterCatalog<M, O>,
  { name, description, baseUnit }: MeterRequest<O>,
  tags: TagSet,
): MeterDescription {
  return { kind: kind.name, name, tags: listTags(tags), description, baseUnit }
}
