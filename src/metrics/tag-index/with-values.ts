import { kindOf } from '../../base/callback.ts'
import { argumentOutOfRange, invalidArgument } from '../../base/errors.ts'
import type { TagValue } from '../series/tags.ts'
import type { KeySlots } from './key-slots.ts'
import { TagColumn } from './tag-columns.ts'
import type { TagTable } from './tag-table.ts'
import { type GetMissing, MissingMeters, type RedirectedMeters } from './tagged-meters.ts'

/** @throws TypeError if the keys are not an array of strings, RangeError if a key is listed twice. */
export function createTaggedMeters<M>(
  keys: readonly string[],
  table: TagTable<M>,
  get: GetMissing<M>,
): RedirectedMeters<M> {
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string')) {
    throw invalidArgument(
      `tag keys: expected an array of strings such as ['region', 'result'], received ${kindOf(keys)}`,
    )
  }
  if (new Set(keys).size < keys.length)
    throw argumentOutOfRange(`tag keys: expected each key once, received ${keys.join(', ')}`)
  const missing = new MissingMeters(keys, get)
  switch (keys.length) {
    case 1:
      return new WithOne(keys, table, missing)
    case 2:
      return new WithTwo(keys, table, missing)
    case 3:
      return new WithThree(keys, table, missing)
    default:
      return new WithMany(keys, table, missing)
  }
}

// One class per number of keys: a loop over the values takes 1.5 times as long.

class WithOne<M> implements RedirectedMeters<M> {
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
    table.addReader(() => this.#refresh())
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
    table.addReader(() => this.#refresh())
    this.#refresh()
  }

  #refresh(): void {
    this.#slots = this.#table.slots
    this.#a = columnOf(this.#table, this.#keys[0] as string)
  }
}

class WithTwo<M> implements RedirectedMeters<M> {
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
    table.addReader(() => this.#refresh())
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
    table.addReader(() => this.#refresh())
    this.#refresh()
  }

  #refresh(): void {
    this.#slots = this.#table.slots
    this.#a = columnOf(this.#table, this.#keys[0] as string)
    this.#b = columnOf(this.#table, this.#keys[1] as string)
  }
}

class WithThree<M> implements RedirectedMeters<M> {
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
    table.addReader(() => this.#refresh())
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
    table.addReader(() => this.#refresh())
    this.#refresh()
  }

  #refresh(): void {
    this.#slots = this.#table.slots
    this.#a = columnOf(this.#table, this.#keys[0] as string)
    this.#b = columnOf(this.#table, this.#keys[1] as string)
    this.#c = columnOf(this.#table, this.#keys[2] as string)
  }
}

class WithMany<M> implements RedirectedMeters<M> {
  readonly #keys: readonly string[]
  readonly #missing: MissingMeters<M>
  #table: TagTable<M>
  #columns: readonly TagColumn[]

  constructor(keys: readonly string[], table: TagTable<M>, missing: MissingMeters<M>) {
    this.#keys = keys
    this.#missing = missing
    this.#table = table
    this.#columns = keys.map((key) => columnOf(table, key))
    table.addReader(() => this.#refresh())
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
    table.addReader(() => this.#refresh())
    this.#refresh()
  }

  #refresh(): void {
    this.#columns = this.#keys.map((key) => columnOf(this.#table, key))
  }
}

/** Returns the column of a key. If keys are not exact, it is one without values, so that the slow path is taken. */
function columnOf<M>({ columns }: TagTable<M>, key: string): TagColumn {
  return columns.isExact ? columns.of(key) : new TagColumn(key, -1)
}
