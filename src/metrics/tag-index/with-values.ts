import type { TagValue } from '../series/tags.ts'
import type { KeySlots } from './key-slots.ts'
import type { MissingMeters } from './missing-meters.ts'
import type { TableReader } from './table-users.ts'
import { TagColumn } from './tag-column.ts'
import type { TagTable } from './tag-table.ts'

/** Meters by the values of a fixed list of tags, and by the table in which they are looked for. */
export interface RedirectedMeters<M> extends TableReader {
  with(...values: readonly TagValue[]): M
  lookInto(table: TagTable<M>): void
}

// One class a number of keys: a loop over the values would cost half as much again.

export class WithOne<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #slots: KeySlots<M>
  #a: TagColumn

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#slots = table.slots
    this.#a = columnOf(table, keys[0] as string)
    table.addReader(this)
  }

  with(a: TagValue): M {
    const x = this.#a.find(a)
    if (x !== undefined) {
      const found = this.#slots.at(x << this.#a.shift)
      if (found !== undefined) return found
    }
    return this.#missing.find(this.#table, [a])
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    table.addReader(this)
    this.refresh()
  }

  refresh(): void {
    this.#slots = this.#table.slots
    this.#a = columnOf(this.#table, this.#keys[0] as string)
  }
}

export class WithTwo<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #slots: KeySlots<M>
  #a: TagColumn
  #b: TagColumn

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#slots = table.slots
    this.#a = columnOf(table, keys[0] as string)
    this.#b = columnOf(table, keys[1] as string)
    table.addReader(this)
  }

  with(a: TagValue, b: TagValue): M {
    const x = this.#a.find(a)
    const y = this.#b.find(b)
    if (x !== undefined && y !== undefined) {
      const found = this.#slots.at((x << this.#a.shift) | (y << this.#b.shift))
      if (found !== undefined) return found
    }
    return this.#missing.find(this.#table, [a, b])
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    table.addReader(this)
    this.refresh()
  }

  refresh(): void {
    this.#slots = this.#table.slots
    this.#a = columnOf(this.#table, this.#keys[0] as string)
    this.#b = columnOf(this.#table, this.#keys[1] as string)
  }
}

export class WithThree<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #slots: KeySlots<M>
  #a: TagColumn
  #b: TagColumn
  #c: TagColumn

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#slots = table.slots
    this.#a = columnOf(table, keys[0] as string)
    this.#b = columnOf(table, keys[1] as string)
    this.#c = columnOf(table, keys[2] as string)
    table.addReader(this)
  }

  with(a: TagValue, b: TagValue, c: TagValue): M {
    const x = this.#a.find(a)
    const y = this.#b.find(b)
    const z = this.#c.find(c)
    if (x !== undefined && y !== undefined && z !== undefined) {
      const found = this.#slots.at((x << this.#a.shift) | (y << this.#b.shift) | (z << this.#c.shift))
      if (found !== undefined) return found
    }
    return this.#missing.find(this.#table, [a, b, c])
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    table.addReader(this)
    this.refresh()
  }

  refresh(): void {
    this.#slots = this.#table.slots
    this.#a = columnOf(this.#table, this.#keys[0] as string)
    this.#b = columnOf(this.#table, this.#keys[1] as string)
    this.#c = columnOf(this.#table, this.#keys[2] as string)
  }
}

export class WithMany<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #columns: readonly TagColumn[]

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#columns = keys.map((key) => columnOf(table, key))
    table.addReader(this)
  }

  with(...values: TagValue[]): M {
    const columns = this.#columns
    let key = 0
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] as TagColumn
      const code = column.find(values[at] as TagValue)
      if (code === undefined) return this.#missing.find(this.#table, values)
      key |= code << column.shift
    }
    const found = columns.length === 0 ? this.#table.untagged : this.#table.slots.at(key)
    return found ?? this.#missing.find(this.#table, values)
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    table.addReader(this)
    this.refresh()
  }

  refresh(): void {
    this.#columns = this.#keys.map((key) => columnOf(this.#table, key))
  }
}

/** The column of a key; one without values where keys are not exact, so that the slow way is taken. */
function columnOf<M>({ columns }: TagTable<M>, key: string): TagColumn {
  return columns.exact ? columns.of(key) : new TagColumn(key, -1)
}
