import type { Meter, MeterOptions, StoredMeter } from '../meter.ts'
import type { MeterKind } from '../meter-kind.ts'
import type { MeterSnapshot } from '../snapshot.ts'
import { Family } from './family.ts'
import { MeterCatalog } from './meter-catalog.ts'
import { Series } from './series.ts'

/** The meters of one registry: a catalog per kind. */
export class MeterStore {
  /** Milliseconds since 1970-01-01T00:00:00Z; the ages of the series count from it. */
  readonly #epoch: number
  readonly #catalogs: MeterCatalog<StoredMeter, MeterOptions>[] = []
  /** All families by name, until one is added: sorting thousands of names at each scrape would block the event loop. */
  #sorted: readonly Family<StoredMeter>[] | undefined

  constructor(epoch: number) {
    this.#epoch = epoch
  }

  /** Adds the catalog of a kind. Meters of one name are read in the order in which their kinds were added. */
  add<M extends StoredMeter, O extends MeterOptions>(kind: MeterKind<M, O>): MeterCatalog<M, O> {
    const catalog = new MeterCatalog<M, O>(kind, this.#epoch, (family) => this.#introduce(family))
    this.#catalogs.push(catalog)
    return catalog
  }

  /** The kinds, in the order in which they were added. */
  get kinds(): readonly MeterKind<StoredMeter, MeterOptions>[] {
    return this.#catalogs.map(({ kind }) => kind)
  }

  /** Returns the names that have a meter, sorted by UTF-16 code units. */
  names(): string[] {
    this.#sorted ??= [...this.families()].sort((one, other) => (one.name < other.name ? -1 : 1))
    const names: string[] = []
    for (const { name, table } of this.#sorted) if (table.size > 0 && names.at(-1) !== name) names.push(name)
    return names
  }

  /** Returns all families, or those of one name. */
  *families(name?: string): Generator<Family<StoredMeter>> {
    for (const { families } of this.#catalogs) {
      if (name === undefined) yield* families.values()
      else {
        const family = families.get(name)
        if (family !== undefined) yield family
      }
    }
  }

  /** Returns snapshots of all series, or those of one name. Removes meters that no longer have anything to measure. */
  *slices(size: number, name?: string): Generator<MeterSnapshot[]> {
    for (const each of name === undefined ? this.names() : [name]) {
      for (const family of this.families(each)) yield* family.slices(size, (meter) => this.remove(meter))
    }
  }

  has({ id }: StoredMeter): boolean {
    return id.home instanceof Family
  }

  /** Removes a meter. Returns whether it was in this store. */
  remove({ id }: Meter): boolean {
    if (!(id instanceof Series) || !(id.home instanceof Family)) return false
    const family: Family<StoredMeter> = id.home
    const meter = family.at(id.row)
    const catalog = this.#catalogs.find(({ families }) => families.get(family.name) === family)
    if (catalog === undefined || meter === undefined) return false
    family.remove(meter)
    catalog.forgetAliases()
    return true
  }

  /**
   * Makes all catalogs look up meters anew, because filters were added; `isMapping` if any of them changes names or
   * tags.
   */
  filtersChanged(isMapping: boolean): void {
    for (const catalog of this.#catalogs) {
      catalog.forgetAliases()
      if (isMapping) catalog.useAliases()
    }
  }

  /** Makes a new family and those of other kinds with its name known to each other. */
  #introduce(family: Family<StoredMeter>): void {
    this.#sorted = undefined
    const others = [...this.families(family.name)].filter((other) => other !== family)
    family.relatives = others
    for (const other of others) other.relatives = [...other.relatives, family]
  }
}
