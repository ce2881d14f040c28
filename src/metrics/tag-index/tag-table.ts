import { type TagSet, type Tags, type TagValue, tagText } from '../series/tags.ts'
import { CodeRows } from './code-rows.ts'
import { CodeSet } from './code-set.ts'
import { KeySlots } from './key-slots.ts'
import type { RowOwner, TableReader } from './table-users.ts'
import type { TagColumn } from './tag-column.ts'
import { TagColumns } from './tag-columns.ts'

const tooFewToCompact = 64

/**
 * Values by tags. Every distinct value of a tag has a small code, and the codes of one set of tags make one integer, so that
 * a lookup builds no text and leaves no garbage. As long as the codes fit into 30 bits that integer is the set itself; past
 * that it is a hash, and the codes of the row are compared too. No two different sets of tags ever meet, in either case.
 */
export class TagTable<V> {
  readonly columns: TagColumns = new TagColumns()
  /** The value without any tag; its row is -1. */
  untagged: V | undefined = undefined
  size = 0

  readonly #owner: RowOwner<V> | undefined
  readonly #readers: TableReader[] = []
  #slots = new KeySlots<V>([], 0)
  #rows = new CodeRows()
  readonly #wanted = new CodeSet()

  constructor(owner?: RowOwner<V>) {
    this.#owner = owner
  }

  /** What finds a value by its key, until the readers are told otherwise. */
  get slots(): KeySlots<V> {
    return this.#slots
  }

  addReader(reader: TableReader): void {
    this.#readers.push(reader)
  }

  /** By row; `undefined` where a value has left. A new array after every compaction, so that a reader can finish the old one. */
  get entries(): readonly (V | undefined)[] {
    return this.#slots.entries
  }

  /** The value of an object's tags, in whatever order; numbers and booleans are known once they were learnt. */
  find(tags: Tags): V | undefined {
    const columns = this.columns
    if (!columns.exact) return this.#findByCodes(tags)
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

  /** The value of the tags with these keys and, in the same order, values. */
  get(keys: readonly string[], values: readonly TagValue[]): V | undefined {
    if (keys.length === 0) return this.untagged
    this.#wanted.clear(this.columns.list.length)
    for (let at = 0; at < keys.length; at++) {
      if (!this.#want(keys[at] as string, values[at] as TagValue)) return undefined
    }
    return this.#wantedValue()
  }

  /** Keeps the value of tags that have none yet; its row. */
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
      if (code >= column.capacity) columns.stale = true
      this.#wanted.add(column.index, code)
      expected = column.next
    }
    if (columns.stale) {
      columns.weigh()
      this.#fillSlots(this.#slots.entries)
    }
    if (!this.#slots.hasRoom) this.#useSlots(this.#slots.enlarged())
    const row = this.#rows.append(this.#wanted.codes, columns.list.length)
    this.#slots.entries.push(value)
    this.#slots.insert(columns.keyOf(this.#wanted.codes), row)
    return row
  }

  /** Lets `find` know the numbers and booleans among these tags, where their texts have a value. */
  learn(tags: Tags): void {
    for (const key in tags) this.columns.get(key)?.alias(tags[key] as TagValue, tagText(key, tags[key]))
  }

  tagsOf(row: number): TagSet {
    const keys: string[] = []
    const texts: string[] = []
    if (row < 0) return { keys, texts }
    for (const { key, index, texts: textOfCode } of this.columns.list) {
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
    const left = this.entries.length - this.size
    if (left > tooFewToCompact && left > this.size) this.#compact()
  }

  /** Forgets every value; the columns stay, empty. */
  clear(): void {
    this.untagged = undefined
    this.size = 0
    this.#rows = new CodeRows()
    this.columns.forget()
    this.#fillSlots([])
  }

  /** Also forgets the tag values that nothing has any more. */
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
    for (const reader of this.#readers) reader.refresh()
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

  /** Looks for a tag too; whether its value is known. */
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
