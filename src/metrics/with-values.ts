import type { Tag } from './snapshot.ts'
import type { TagColumn } from './tag-column.ts'
import type { TagTable } from './tag-table.ts'
import { type TagValue, tagText } from './tags.ts'

/** Meters by the values of a fixed list of tags, and by the table in which they are looked for. */
export interface RedirectedMeters<M> {
  with(...values: readonly TagValue[]): M
  lookInto(table: TagTable<M>): void
}

/** Gets a meter that a table does not have. */
export type GetMissing<M> = (tags: readonly Tag[]) => M

/** What is left to do when the fast way has not found a meter. */
export class MissingMeters<M> {
  readonly #keys: readonly string[]
  readonly #get: GetMissing<M>

  constructor(keys: readonly string[], get: GetMissing<M>) {
    this.#keys = keys
    this.#get = get
  }

  find(table: TagTable<M>, values: readonly TagValue[]): M {
    if (!table.columns.exact) {
      const found = table.findValues(this.#keys, values)
      if (found !== undefined) return found
    }
    const tags = this.#keys.map((key, at) => ({ key, value: tagText(key, values[at]) }))
    const meter = this.#get(tags)
    tags.forEach(({ key, value }, at) => {
      table.columns.get(key)?.alias(values[at] as TagValue, value)
    })
    return meter
  }
}

// One class a number of keys: a loop over the values would cost half as much again.

export class WithOne<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #a: TagColumn

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#a = table.columns.of(keys[0] as string)
  }

  with(a: TagValue): M {
    const x = this.#a.codes.get(a)
    if (x !== undefined && this.#table.columns.exact) {
      const found = this.#table.at(x * this.#a.weight)
      if (found !== undefined) return found
    }
    return this.#missing.find(this.#table, [a])
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    this.#a = table.columns.of(this.#keys[0] as string)
  }
}

export class WithTwo<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #a: TagColumn
  #b: TagColumn

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#a = table.columns.of(keys[0] as string)
    this.#b = table.columns.of(keys[1] as string)
  }

  with(a: TagValue, b: TagValue): M {
    const x = this.#a.codes.get(a)
    const y = this.#b.codes.get(b)
    if (x !== undefined && y !== undefined && this.#table.columns.exact) {
      const found = this.#table.at((x * this.#a.weight + y * this.#b.weight) | 0)
      if (found !== undefined) return found
    }
    return this.#missing.find(this.#table, [a, b])
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    this.#a = table.columns.of(this.#keys[0] as string)
    this.#b = table.columns.of(this.#keys[1] as string)
  }
}

export class WithThree<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #a: TagColumn
  #b: TagColumn
  #c: TagColumn

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#a = table.columns.of(keys[0] as string)
    this.#b = table.columns.of(keys[1] as string)
    this.#c = table.columns.of(keys[2] as string)
  }

  with(a: TagValue, b: TagValue, c: TagValue): M {
    const x = this.#a.codes.get(a)
    const y = this.#b.codes.get(b)
    const z = this.#c.codes.get(c)
    if (x !== undefined && y !== undefined && z !== undefined && this.#table.columns.exact) {
      const found = this.#table.at((x * this.#a.weight + y * this.#b.weight + z * this.#c.weight) | 0)
      if (found !== undefined) return found
    }
    return this.#missing.find(this.#table, [a, b, c])
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    this.#a = table.columns.of(this.#keys[0] as string)
    this.#b = table.columns.of(this.#keys[1] as string)
    this.#c = table.columns.of(this.#keys[2] as string)
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
    this.#columns = keys.map((key) => table.columns.of(key))
  }

  with(...values: TagValue[]): M {
    const columns = this.#columns
    let key = 0
    if (this.#table.columns.exact) {
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at] as TagColumn
        const code = column.codes.get(values[at] as TagValue)
        if (code === undefined) return this.#missing.find(this.#table, values)
        key = (key + code * column.weight) | 0
      }
      const found = this.#table.at(key)
      if (found !== undefined) return found
    }
    return this.#missing.find(this.#table, values)
  }

  lookInto(table: TagTable<M>): void {
    this.#table = table
    this.#columns = this.#keys.map((key) => table.columns.of(key))
  }
}
