import type { MeterKind, StoredMeter } from '../meter.ts'
import { checkNaming, type MeterNaming } from '../meter-naming.ts'
import type { GetMissing } from '../tag-index/missing-meters.ts'
import { TagTable } from '../tag-index/tag-table.ts'
import { createTaggedMeters } from '../tag-index/tagged-meters.ts'
import type { RedirectedMeters } from '../tag-index/with-values.ts'
import { Family } from './family.ts'
import type { TagSet, Tags } from './tags.ts'

const leastAliases = 4_096

/**
 * The meters of one kind, and how to find them by the name and tags that they are asked for. As long as no filter maps, those
 * are their own; else they are aliases, which are kept apart, and forgotten when there are too many.
 */
export class MeterCatalog<M extends StoredMeter> {
  readonly kind: MeterKind
  /** By the meters' own name. */
  readonly families: Map<string, Family<M>> = new Map()

  /** Tells a new family and those of other kinds with its name of each other. */
  readonly #introduce: (family: Family<StoredMeter>) => void
  /** By the name that is asked for: where to look. */
  readonly #tables = new Map<string, TagTable<M>>()
  readonly #aliases = new Map<string, TagTable<M>>()
  readonly #tagged = new Map<string, Map<string, RedirectedMeters<M>>>()
  /** Milliseconds since 1970-01-01T00:00:00Z that the ages of the series count from. */
  readonly epoch: number
  #mapping: boolean

  constructor(kind: MeterKind, epoch: number, mapping: boolean, introduce: (family: Family<StoredMeter>) => void) {
    this.kind = kind
    this.#introduce = introduce
    this.epoch = epoch
    this.#mapping = mapping
  }

  /** The fast way: finds meters that were asked for like this before. */
  find(name: string, tags: Tags | undefined): M | undefined {
    const table = this.#tables.get(name)
    if (table === undefined) return undefined
    return tags === undefined ? table.untagged : table.find(tags)
  }

  family(shared: MeterNaming): Family<M> {
    const known = this.families.get(shared.name)
    if (known !== undefined) return known
    checkNaming(shared)
    const family = new Family<M>(this.kind, shared, this.epoch)
    this.families.set(shared.name, family)
    this.#introduce(family)
    return family
  }

  /** Where to look for the tags that a name is asked for with. */
  tableOf(shared: MeterNaming): TagTable<M> {
    const known = this.#tables.get(shared.name)
    if (known !== undefined) return known
    checkNaming(shared)
    const table = this.#mapping ? this.#aliasesOf(shared.name) : this.family(shared).table
    this.#tables.set(shared.name, table)
    return table
  }

  findAlias(name: string, tags: TagSet): M | undefined {
    return this.#aliases.size === 0 ? undefined : this.#aliases.get(name)?.get(tags.keys, tags.texts)
  }

  /** Remembers which meter is meant by a name and tags that are not its own. */
  addAlias(name: string, tags: TagSet, meter: M): void {
    const aliases = this.#aliasesOf(name)
    if (aliases.size >= leastAliases + 4 * (this.families.get(meter.id.name)?.table.size ?? 0)) aliases.clear()
    aliases.put(tags, meter)
  }

  /** The tagged meters of a name and some keys, the same ones at every call. */
  tagged(shared: MeterNaming, keys: readonly string[], missing: GetMissing<M>): RedirectedMeters<M> {
    const ofName = this.#tagged.get(shared.name) ?? new Map<string, RedirectedMeters<M>>()
    const known = ofName.get(JSON.stringify(keys))
    if (known !== undefined) return known
    const tagged = createTaggedMeters(keys, this.tableOf(shared), missing)
    this.#tagged.set(shared.name, ofName.set(JSON.stringify(keys), tagged))
    return tagged
  }

  /** Makes everyone ask anew under which id a meter is kept. */
  forgetAliases(mapping: boolean = this.#mapping): void {
    for (const aliases of this.#aliases.values()) aliases.clear()
    if (mapping === this.#mapping) return
    this.#mapping = mapping
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
