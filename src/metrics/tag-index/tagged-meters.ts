import type { TagValue } from '../series/tags.ts'
import { type GetMissing, MissingMeters } from './missing-meters.ts'
import type { TagTable } from './tag-table.ts'
import { type RedirectedMeters, WithMany, WithOne, WithThree, WithTwo } from './with-values.ts'

/** One value for each key. */
export type TagValues<K extends readonly string[]> = { readonly [I in keyof K]: TagValue }

/** The meters of one name and one list of tag keys: the fast way to a meter whose tag values are known only at the time. */
export interface TaggedMeters<M, K extends readonly string[]> {
  /** The meter with these values, in the order of the keys; made at its first use. */
  with(...values: TagValues<K>): M
}

/** @throws TypeError when the keys are no list of texts, RangeError when a key is listed twice. */
export function createTaggedMeters<M>(
  keys: readonly string[],
  table: TagTable<M>,
  get: GetMissing<M>,
): RedirectedMeters<M> {
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string')) {
    throw new TypeError("Tag keys must be a list of texts such as ['region', 'result']")
  }
  if (new Set(keys).size < keys.length) throw new RangeError(`A tag key is listed twice: ${keys.join(', ')}`)
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
