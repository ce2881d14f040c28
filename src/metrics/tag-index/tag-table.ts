import { type TagSet, type Tags, type TagValue, tagText } from '../series/tags.ts'
import { CodeRows, CodeSet } from './code-rows.ts'
import { KeySlots } from './key-slots.ts'
import { type TagColumn, TagColumns } from './tag-columns.ts'

/** Stores in which row of a table a value is. */
export interface RowOwner<V> {
  /** Called after a compaction has moved a value to another row. */
  moved(value: V, row: number): void
}

/** Tables with fewer holes are not compacted. */
const minHoles = 64

/**
 * The index of the series of one name: values by tags.
 *
 * Each tag key has a column, in which each value that the key has had has a small code, from 1; the code 0 stands for
 * "has no such tag". The codes of a set of tags, each in the bits of its column, form one integer, the key of the set:
 *
 *     column   region         method          status
 *     codes    eu 1, us 2     GET 1, PUT 2    200 1, 404 2
 *     bits     0 to 2         3 to 5          6 to 8
 *
 *     { region: 'us', method: 'GET', status: '404' }   →   2 | 1 << 3 | 2 << 6   =   138
 *     { status: '404', region: 'us' }                  →   2 |          2 << 6   =   130
 *
 * `KeySlots`, a hash table of integers, has the row of a key; `entries` has the value of a row, and `CodeRows` its
 * codes, from which its tags can be read back. So a look-up compares and shifts integers, builds no string, allocates
 * nothing, and the order of the tags has no meaning.
 *
 * A column begins with 3 bits, and gets 3 more than it needs when its codes no longer fit; all keys are then computed
 * anew. If all columns together need more than 30 bits, keys are no longer exact: they become a hash of the codes, and
 * look-ups compare the codes of the row as well. Different tags never share a value, in either case.
 *
 * A removed value leaves a hole, so that rows stay the same. A table that is more than half holes is compacted, which
 * also discards tag values that no row has any more.
 */
export class TagTable<V> {
  readonly columns: TagColumns = new TagColumns()
  /** The value without tags; its row is -1. */
  untagged: V | undefined = undefined
  size = 0

  readonly #owner: RowOwner<V> | undefined
  readonly #refreshReaders: (() => void)[] = []
  #slots = new KeySlots<V>([], 0)
  #rows = new CodeRows()
  /** The codes of the tags that are being looked up or added. One for all calls, so that none allocates. */
  readonly #wanted = new CodeSet()

  constructor(owner?: RowOwner<V>) {
    this.#owner = owner
  }

  /** The values by key. Replaced when it grows; readers are notified. */
  get slots(): KeySlots<V> {
    return this.#slots
  }

  /**
   * Registers a reader that copies columns or slots for faster look-ups; `refresh` is called after they were replaced.
   */
  addReader(refresh: () => void): void {
    this.#refreshReaders.push(refresh)
  }

  /** By row; `undefined` is a hole. A compaction creates a new array, so that a reader can finish the old one. */
  get entries(): readonly (V | undefined)[] {
    return this.#slots.entries
  }

  /** Returns the value of an object's tags. Numbers and booleans are found after `learn`. */
  find(tags: Tags): V | undefined {
    const columns = this.columns
    if (!columns.isExact) return this.#findByCodes(tags)
    // Tags are mostly listed in the order of the columns: comparing the key with the next column's spares a map
    // look-up.
    let expected = columns.first
    let key = 0
    for (const name in tags) {
      const column: TagColumn | undefined =
        expected !== undefined && expected.key === name ? expected : columns.get(name)
      if (column === undefined) return undefined
      const code = column.find(tags[name] as TagValue)
      if (code === undefined) return undefined
      key |= code << column.shift
      expected = column.next
    }
    return key === 0 ? this.untagged : this.#slots.at(key)
  }

  /** Returns the value of the tags with these keys and, in the same order, values. */
  get(keys: readonly string[], values: readonly TagValue[]): V | undefined {
    if (keys.length === 0) return this.untagged
    this.#wanted.clear(this.columns.list.length)
    for (let at = 0; at < keys.length; at++) {
      if (!this.#want(keys[at] as string, values[at] as TagValue)) return undefined
    }
    return this.#wantedValue()
  }

  /** Adds the value of tags that have none yet. Returns its row. */
  put({ keys, texts }: TagSet, value: V): number {
    this.size += 1
    if (keys.length === 0) {
      this.untagged = value
      return -1
    }
    const { columns } = this
    this.#wanted.clear(this.columns.list.length)
    let expected = columns.first
    for (let at = 0; at < keys.length; at++) {
      const name = keys[at] as string
      const column: TagColumn = expected !== undefined && expected.key === name ? expected : columns.of(name)
      const code = column.codeOf(texts[at] as string)
      if (code >= column.capacity) columns.isStale = true
      this.#wanted.add(column.index, code)
      expected = column.next
    }
    if (columns.isStale) {
      columns.weigh()
      this.#fillSlots(this.#slots.entries)
    }
    if (!this.#slots.hasRoom) this.#useSlots(this.#slots.enlarged())
    const row = this.#rows.append(this.#wanted.codes, columns.list.length)
    this.#slots.entries.push(value)
    this.#slots.insert(columns.keyOf(this.#wanted.codes), row)
    return row
  }

  /** Makes `find` recognize the numbers and booleans among these tags, if their strings are known. */
  learn(tags: Tags): void {
    for (const key in tags) this.columns.get(key)?.alias(tags[key] as TagValue, tagText(key, tags[key]))
  }

  /** Returns the tags of a series, sorted by key. */
  tagsOf(row: number): TagSet {
    const keys: string[] = []
    const texts: string[] = []
    if (row < 0) return { keys, texts }
    for (const { key, index, texts: textOfCode } of this.columns.sorted) {
      const code = this.#rows.at(row, index)
      if (code === 0) continue
      keys.push(key)
      texts.push(textOfCode[code] as string)
    }
    return { keys, texts }
  }

  remove(row: number): void {
    this.size -= 1
    if (row < 0) {
      this.untagged = undefined
      return
    }
    this.#slots.remove(this.columns.keyOfRow(this.#rows, row), row)
    this.#slots.entries[row] = undefined
    const holes = this.entries.length - this.size
    if (holes > minHoles && holes > this.size) this.#compact()
  }

  /** Removes every value; the columns stay, empty. */
  clear(): void {
    this.untagged = undefined
    this.size = 0
    this.#rows = new CodeRows()
    this.columns.forget()
    this.#fillSlots([])
  }

  #compact(): void {
    const { entries, untagged } = this
    const staying = entries.map((value, row) => (value === undefined ? undefined : { value, tags: this.tagsOf(row) }))
    this.clear()
    if (untagged !== undefined) this.put({ keys: [], texts: [] }, untagged)
    for (const stay of staying) {
      if (stay === undefined) continue
      const row = this.put(stay.tags, stay.value)
      this.#owner?.moved(stay.value, row)
    }
  }

  #fillSlots(entries: (V | undefined)[]): void {
    const slots = new KeySlots(entries, entries.length + (entries.length >> 1))
    entries.forEach((value, row) => {
      if (value !== undefined) slots.insert(this.columns.keyOfRow(this.#rows, row), row)
    })
    this.#useSlots(slots)
  }

  #useSlots(slots: KeySlots<V>): void {
    this.#slots = slots
    for (const refresh of this.#refreshReaders) refresh()
  }

  #findByCodes(tags: Tags): V | undefined {
    this.#wanted.clear(this.columns.list.length)
    let isEmpty = true
    for (const key in tags) {
      if (!this.#want(key, tags[key] as TagValue)) return undefined
      isEmpty = false
    }
    return isEmpty ? this.untagged : this.#wantedValue()
  }

  /** Adds a tag to the wanted codes. Returns whether its value is known. */
  #want(key: string, value: TagValue): boolean {
    const column = this.columns.get(key)
    const code = column?.find(value)
    if (column === undefined || code === undefined) return false
    this.#wanted.add(column.index, code)
    return true
  }

  #wantedValue(): V | undefined {
    const { columns } = this
    const row = this.#slots.rowOf(
      columns.keyOf(this.#wanted.codes),
      this.#rows,
      this.#wanted.codes,
      columns.list.length,
    )
    return row < 0 ? undefined : this.entries[row]
  }
}
