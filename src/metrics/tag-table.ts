import { CodeRows } from './code-rows.ts'
import { KeySlots } from './key-slots.ts'
import type { Tag } from './snapshot.ts'
import type { TagColumn } from './tag-column.ts'
import { TagColumns } from './tag-columns.ts'
import { type Tags, type TagValue, tagText } from './tags.ts'

const tooFewToCompact = 64

/** Whoever needs to know where in a table its values are. */
export interface RowOwner<V> {
  /** A compaction gave a value another row. */
  moved(value: V, row: number): void
}

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
  #slots = new KeySlots<V>([], 0)
  #rows = new CodeRows()
  /** The codes of the set that is looked for, by column. */
  #wanted = new Int32Array(0)

  constructor(owner?: RowOwner<V>) {
    this.#owner = owner
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
      const code = column.codes.get(tags[name] as TagValue)
      if (code === undefined) return undefined
      key = (key + code * column.weight) | 0
      expected = column.next
    }
    return this.at(key)
  }

  /** The value of an exact key. */
  at(key: number): V | undefined {
    if (key === 0) return this.untagged
    return this.#slots.at(key)
  }

  /** The value of a list of tags that has no key twice. */
  get(tags: readonly Tag[]): V | undefined {
    if (tags.length === 0) return this.untagged
    this.#lookFor()
    for (const { key, value } of tags) if (!this.#want(key, value)) return undefined
    return this.#wantedValue()
  }

  /** The value of some keys' values, in the same order, however the keys are made. */
  findValues(keys: readonly string[], values: readonly TagValue[]): V | undefined {
    this.#lookFor()
    for (let at = 0; at < keys.length; at++) {
      if (!this.#want(keys[at] as string, values[at] as TagValue)) return undefined
    }
    return keys.length === 0 ? this.untagged : this.#wantedValue()
  }

  /** Begins a set of tags. */
  #lookFor(): void {
    this.#wanted = this.#wanted.length === this.columns.size ? this.#wanted.fill(0) : new Int32Array(this.columns.size)
  }

  /** Puts a tag into the set that was begun; whether its value is known. */
  #want(key: string, value: TagValue): boolean {
    const column = this.columns.get(key)
    const code = column?.codes.get(value)
    if (column === undefined || code === undefined) return false
    this.#wanted[column.index] = code
    return true
  }

  /** The value of the set that was begun, which has one tag at least. */
  #wantedValue(): V | undefined {
    const row = this.#slots.rowOf(this.columns.keyOf(this.#wanted), this.#rows, this.#wanted)
    return row < 0 ? undefined : this.entries[row]
  }

  /** Keeps the value of tags that have none yet; its row. */
  put(tags: readonly Tag[], value: V): number {
    this.size += 1
    if (tags.length === 0) {
      this.untagged = value
      return -1
    }
    if (this.columns.admit(tags)) this.#fillSlots(this.#slots.entries)
    this.#lookFor()
    for (const { key, value: text } of tags) {
      const column = this.columns.of(key)
      this.#wanted[column.index] = column.codeOf(text)
    }
    const row = this.#rows.append(this.#wanted)
    this.#slots.entries.push(value)
    if (this.#slots.hasRoom) this.#slots.insert(this.columns.keyOf(this.#wanted), row)
    else this.#fillSlots(this.#slots.entries)
    return row
  }

  /** Lets `find` know the numbers and booleans among these tags, where their texts have a value. */
  learn(tags: Tags): void {
    for (const key in tags) this.columns.get(key)?.alias(tags[key] as TagValue, tagText(key, tags[key]))
  }

  /** The tags of a row, unsorted. */
  tagsOf(row: number): Tag[] {
    const tags: Tag[] = []
    if (row < 0) return tags
    for (const { key, index, texts } of this.columns) {
      const code = this.#rows.at(row, index)
      if (code > 0) tags.push({ key, value: texts[code] as string })
    }
    return tags
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
    if (untagged !== undefined) this.put([], untagged)
    for (const stay of staying) {
      if (stay === undefined) continue
      const row = this.put(stay.tags, stay.value)
      this.#owner?.moved(stay.value, row)
    }
  }

  #fillSlots(entries: (V | undefined)[]): void {
    this.#slots = new KeySlots(entries, entries.length + (entries.length >> 1))
    entries.forEach((value, row) => {
      if (value !== undefined) this.#slots.insert(this.columns.keyOfRow(this.#rows, row), row)
    })
  }

  #findByCodes(tags: Tags): V | undefined {
    this.#lookFor()
    for (const key in tags) if (!this.#want(key, tags[key] as TagValue)) return undefined
    return this.#wantedValue()
  }
}
