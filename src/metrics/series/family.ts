import type { MeterKindName, MeterNaming, StoredMeter } from '../meter.ts'
import type { MeterSnapshot } from '../snapshot.ts'
import { type RowOwner, TagTable } from '../tag-index/tag-table.ts'
import type { SeriesHome } from './series.ts'
import { type TagSet, tagSet } from './tags.ts'

/** The series of one name and one kind. */
export class Family<M extends StoredMeter> implements SeriesHome, RowOwner<M> {
  readonly kind: MeterKindName
  readonly name: string
  readonly description: string | undefined
  readonly baseUnit: string | undefined
  readonly epoch: number
  readonly table: TagTable<M>
  /** The families of other kinds with the same name. */
  relatives: readonly Family<StoredMeter>[] = []
  /** The series that measurements beyond the maximum of series are recorded into, once there are any. */
  overflow: M | undefined = undefined

  constructor(kind: MeterKindName, { name, description, baseUnit }: MeterNaming, epoch: number) {
    this.kind = kind
    this.name = name
    this.description = description
    this.baseUnit = baseUnit
    this.epoch = epoch
    this.table = new TagTable<M>(this)
  }

  /** The number of series, without the overflow. */
  get size(): number {
    return this.overflow === undefined ? this.table.size : this.table.size - 1
  }

  /** Returns the meter of a row; -1 is the row without tags. */
  at(row: number): M | undefined {
    return row < 0 ? this.table.untagged : this.table.entries[row]
  }

  tagsOf(row: number): TagSet {
    return this.table.tagsOf(row)
  }

  moved(meter: M, row: number): void {
    meter.id.row = row
  }

  /** Adds a new meter, whose series has this family as its home but no row yet. */
  add(tags: TagSet, meter: M): M {
    meter.id.row = this.table.put(tags, meter)
    return meter
  }

  /** Adds a meter again that was removed. */
  readmit(meter: M): void {
    meter.id.row = this.table.put(tagSet(meter.id.tags), meter)
    meter.id.home = this
  }

  /** Removes a meter. It can still be recorded into, but is no longer read. */
  remove(meter: M): void {
    const { row } = meter.id
    meter.id.leave()
    this.table.remove(row)
    if (this.overflow === meter) this.overflow = undefined
  }

  *meters(): Generator<M> {
    const { untagged, entries } = this.table
    if (untagged !== undefined) yield untagged
    for (let row = 0; row < entries.length; row++) {
      const meter = entries[row]
      if (meter !== undefined) yield meter
    }
  }

  /**
   * Returns snapshots in arrays of at most `size`; calls `gone` for each meter that no longer has anything to measure.
   *
   * A slice is always of the same rows, so that one series that leaves changes one slice only: consumers cache by
   * slice.
   */
  *slices(size: number, gone: (meter: M) => void): Generator<MeterSnapshot[]> {
    const { untagged, entries } = this.table
    // Series that are added meanwhile are left to the next reader: if they came faster than this one, it would never
    // end.
    const end = entries.length
    for (let start = untagged === undefined ? 0 : -1; start < end; start += size) {
      const slice: MeterSnapshot[] = []
      for (let row = start; row < Math.min(start + size, end); row++) {
        const meter = row < 0 ? untagged : entries[row]
        if (meter === undefined) continue
        const snapshot = meter.snapshot()
        if (snapshot === undefined) gone(meter)
        else slice.push(snapshot)
      }
      if (slice.length > 0) yield slice
    }
  }
}
