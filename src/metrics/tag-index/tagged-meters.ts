import { areTexts, type TagSet, type TagValue, tagText } from '../series/tags.ts'
import type { TagTable } from './tag-table.ts'

/**
 * The meters of one name and one list of tag keys: the fast way to a meter whose tag values are known only at run time.
 */
export interface TaggedMeters<M, K extends readonly string[]> {
  /** Returns the meter with these values, one for each key in their order. It is created at its first use. */
  with(...values: { readonly [I in keyof K]: TagValue }): M
}

/** Tagged meters as a registry stores them: by the values of the keys, in a table that can be replaced. */
export interface RedirectedMeters<M> {
  with(...values: readonly TagValue[]): M
  /** Replaces the table. */
  lookInto(table: TagTable<M>): void
}

/** Returns a meter that a table does not have. `isNew`: whether this is certain, because all values are strings. */
export type GetMissing<M> = (tags: TagSet, isNew: boolean) => M

/** The slow path, for values that the fast one has not found. */
export class MissingMeters<M> {
  readonly #keys: readonly string[]
  readonly #get: GetMissing<M>

  constructor(keys: readonly string[], get: GetMissing<M>) {
    this.#keys = keys
    this.#get = get
  }

  find(table: TagTable<M>, values: readonly TagValue[]): M {
    if (!table.columns.isExact) {
      const found = table.get(this.#keys, values)
      if (found !== undefined) return found
    }
    return areTexts(values) && values.length === this.#keys.length
      ? this.#get({ keys: this.#keys, texts: values }, true)
      : this.#findAsTexts(table, values)
  }

  #findAsTexts(table: TagTable<M>, values: readonly TagValue[]): M {
    const texts = this.#keys.map((key, at) => tagText(key, values[at]))
    const meter = this.#get({ keys: this.#keys, texts }, false)
    this.#keys.forEach((key, at) => {
      table.columns.get(key)?.alias(values[at] as TagValue, texts[at] as string)
    })
    return meter
  }
}
