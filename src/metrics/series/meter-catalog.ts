import { checkNaming, type MeterNaming, type MeterOptions, type StoredMeter } from '../meter.ts'
import type { MeterKind } from '../meter-kind.ts'
import { TagTable } from '../tag-index/tag-table.ts'
import type { GetMissing, RedirectedMeters } from '../tag-index/tagged-meters.ts'
import { createTaggedMeters } from '../tag-index/with-values.ts'
import { Family } from './family.ts'
import type { TagSet, Tags } from './tags.ts'

const minAliases = 4_096

/** A name and options with which a meter is requested. */
export interface MeterRequest<O> extends MeterNaming {
  readonly options: O
}

/**
 * The meters of one kind, found by the name and tags with which they are requested. Those are the meters' own until a
 * filter maps; from then on they are aliases, which have tables of their own and are discarded beyond a limit.
 */
export class MeterCatalog<M extends StoredMeter, O extends MeterOptions> {
  readonly kind: MeterKind<M, O>
  /** By the meters' own name. */
  readonly families: Map<string, Family<M>> = new Map()
  /** Milliseconds since 1970-01-01T00:00:00Z; the ages of the series count from it. */
  readonly epoch: number

  readonly #introduce: (family: Family<StoredMeter>) => void
  /** By the requested name: where requested tags are looked up. */
  readonly #tables = new Map<string, TagTable<M>>()
  readonly #aliases = new Map<string, TagTable<M>>()
  readonly #tagged = new Map<string, Map<string, RedirectedMeters<M>>>()
  #usesAliases = false

  /** `introduce` is called with each new family. */
  constructor(kind: MeterKind<M, O>, epoch: number, introduce: (family: Family<StoredMeter>) => void) {
    this.kind = kind
    this.epoch = epoch
    this.#introduce = introduce
  }

  /** Returns a meter that was requested in the same way before: the fast path. */
  find(name: string, tags: Tags | undefined): M | undefined {
    const table = this.#tables.get(name)
    if (table === undefined) return undefined
    return tags === undefined ? table.untagged : table.find(tags)
  }

  /** @throws TypeError if there is an unknown option in the first request of a name; later options are ignored. */
  checkNames(name: string, options: O): void {
    if (!this.#tables.has(name)) this.kind.checkNames?.(`meter '${name}'`, options)
  }

  /** @throws RangeError if an option is out of its range. */
  request(name: string, options: O): MeterRequest<O> {
    this.kind.checkOptions?.(options)
    return { name, description: options.description, baseUnit: this.kind.baseUnit ?? options.baseUnit, options }
  }

  /** Returns the family of a name, which is created if it does not exist. */
  family(naming: MeterNaming): Family<M> {
    const known = this.families.get(naming.name)
    if (known !== undefined) return known
    checkNaming(naming)
    const family = new Family<M>(this.kind.name, naming, this.epoch)
    this.families.set(naming.name, family)
    this.#introduce(family)
    return family
  }

  /** Returns the table in which `find` looks up tags for a name. */
  tableOf(naming: MeterNaming): TagTable<M> {
    const known = this.#tables.get(naming.name)
    if (known !== undefined) return known
    checkNaming(naming)
    const table = this.#usesAliases ? this.#aliasesOf(naming.name) : this.family(naming).table
    this.#tables.set(naming.name, table)
    return table
  }

  findAlias(name: string, tags: TagSet): M | undefined {
    return this.#aliases.size === 0 ? undefined : this.#aliases.get(name)?.get(tags.keys, tags.texts)
  }

  /** Stores which meter is found by a name and tags that are not its own. */
  addAlias(name: string, tags: TagSet, meter: M): void {
    const aliases = this.#aliasesOf(name)
    if (aliases.size >= minAliases + 4 * (this.families.get(meter.id.name)?.table.size ?? 0)) aliases.clear()
    aliases.put(tags, meter)
  }

  /** Returns the tagged meters of a name and some keys, the same at every call; `getMissing` creates a meter. */
  tagged(naming: MeterNaming, keys: readonly string[], getMissing: GetMissing<M>): RedirectedMeters<M> {
    const ofName = this.#tagged.get(naming.name) ?? new Map<string, RedirectedMeters<M>>()
    const known = ofName.get(JSON.stringify(keys))
    if (known !== undefined) return known
    const tagged = createTaggedMeters(keys, this.tableOf(naming), getMissing)
    this.#tagged.set(naming.name, ofName.set(JSON.stringify(keys), tagged))
    return tagged
  }

  forgetAliases(): void {
    for (const aliases of this.#aliases.values()) aliases.clear()
  }

  /** Looks up meters among the aliases from now on. */
  useAliases(): void {
    if (this.#usesAliases) return
    this.#usesAliases = true
    for (const name of this.#tables.keys()) {
      const table = this.#aliasesOf(name)
      this.#tables.set(name, table)
      for (const tagged of this.#tagged.get(name)?.values() ?? []) tagged.lookInto(table)
    }
  }

  #aliasesOf(name: string): TagTable<M> {
    const known = this.#aliases.get(name)
    if (known !== undefined) return known
    const aliases = new TagTable<M>()
    this.#aliases.set(name, aliases)
    return aliases
  }
}
