import { areTexts, type TagSet, type TagValue, tagText } from '../series/tags.ts'
import type { TagTable } from './tag-table.ts'

/** Gets a meter that a table does not have; `isNew` when it can be sure of that, since all values are text. */
export type GetMissing<M> = (tags: TagSet, isNew: boolean) => M

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
