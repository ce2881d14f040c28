import type { CodeRows } from './code-rows.ts'
import type { Tag } from './snapshot.ts'
import { TagColumn } from './tag-column.ts'

const exactBits = 30
const keyMask = 0x7fffffff
const golden = 0x9e3779b1

/** The columns of a table, and how their codes make one key: the sum of code times weight. */
export class TagColumns {
  first: TagColumn | undefined = undefined
  /** Whether every column has bits of its own in a key, so that the key is the set of tags; if not, it is a hash. */
  exact = true

  readonly #byKey = new Map<string, TagColumn>()
  #last: TagColumn | undefined = undefined
  /** Whether there are columns without a weight. */
  #incomplete = false

  get size(): number {
    return this.#byKey.size
  }

  get(key: string): TagColumn | undefined {
    return this.#byKey.get(key)
  }

  /** The column of a tag key, a new one where there is none. */
  of(key: string): TagColumn {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const column = new TagColumn(key, this.#byKey.size)
    this.#byKey.set(key, column)
    if (this.#last === undefined) this.first = column
    else this.#last.next = column
    this.#last = column
    this.#incomplete = true
    return column
  }

  /** Gives every key and value of these tags its code; whether that made all keys so far void. */
  admit(tags: readonly Tag[]): boolean {
    let crowded = false
    for (const { key, value } of tags) {
      const column = this.of(key)
      column.codeOf(value)
      crowded ||= column.isCrowded
    }
    if (!crowded && !this.#incomplete) return false
    this.#weigh()
    return true
  }

  /** The key of some codes, by column. */
  keyOf(codes: Int32Array): number {
    let key = 0
    for (const { index, weight } of this) key = (key + Math.imul(codes[index] ?? 0, weight)) | 0
    return key & keyMask
  }

  keyOfRow(rows: CodeRows, row: number): number {
    let key = 0
    for (const { index, weight } of this) key = (key + Math.imul(rows.at(row, index), weight)) | 0
    return key & keyMask
  }

  /** The values that each tag key has had. */
  cardinalities(): { readonly key: string; readonly values: readonly string[] }[] {
    return [...this].map(({ key, texts }) => ({ key, values: texts.slice(1) }))
  }

  forget(): void {
    for (const column of this) column.forget()
    this.#weigh()
  }

  /** Gives every column its bits in a key, or a factor of its own when all together do not fit. */
  #weigh(): void {
    this.#incomplete = false
    let bits = 0
    for (const column of this) {
      if (column.isCrowded) column.bits += 2
      column.weight = bits < exactBits ? 1 << bits : 0
      bits += column.bits
    }
    this.exact = bits <= exactBits
    if (!this.exact) for (const column of this) column.weight = Math.imul(golden, 2 * column.index + 1)
  }

  [Symbol.iterator](): IterableIterator<TagColumn> {
    return this.#byKey.values()
  }
}
