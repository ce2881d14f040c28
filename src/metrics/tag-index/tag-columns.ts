import type { CodeRows } from './code-rows.ts'
import { TagColumn } from './tag-column.ts'

const exactBits = 30
const spareBits = 3

/** The columns of a table, and how their codes make one key: the sum of code times weight. */
export class TagColumns {
  readonly list: TagColumn[] = []
  first: TagColumn | undefined = undefined
  /** Whether every column has bits of its own in a key, so that the key is the set of tags; if not, it is a hash. */
  exact = true
  /** Whether the columns and their codes are not those that the weights were made for. */
  stale = false

  readonly #byKey = new Map<string, TagColumn>()

  get(key: string): TagColumn | undefined {
    return this.#byKey.get(key)
  }

  /** The column of a tag key, a new one where there is none. */
  of(key: string): TagColumn {
    return this.#byKey.get(key) ?? this.#add(key)
  }

  /** Gives every column its bits in a key, or a factor of its own when all together do not fit. All keys so far are void then. */
  weigh(): void {
    this.stale = false
    for (const column of this.list) column.widen(spareBits)
    if (this.#bits() > exactBits) for (const column of this.list) column.narrow()
    this.exact = this.#bits() <= exactBits
    let shift = 0
    for (const column of this.list) {
      column.shift = shift
      column.weight = this.exact ? 1 << shift : Math.imul(0x9e3779b1, 2 * column.index + 1)
      shift += column.bits
    }
  }

  /** The key of some codes, by column. */
  keyOf(codes: Int32Array): number {
    let key = 0
    for (let index = 0; index < this.list.length; index++) {
      key = (key + Math.imul(codes[index] as number, (this.list[index] as TagColumn).weight)) | 0
    }
    return key & 0x7fffffff
  }

  keyOfRow(rows: CodeRows, row: number): number {
    let key = 0
    for (const { index, weight } of this.list) key = (key + Math.imul(rows.at(row, index), weight)) | 0
    return key & 0x7fffffff
  }

  /** The values that each tag key has had. */
  cardinalities(): { readonly key: string; readonly values: readonly string[] }[] {
    return this.list.map(({ key, texts }) => ({ key, values: texts.slice(1) }))
  }

  forget(): void {
    for (const column of this.list) column.forget()
    this.weigh()
  }

  #bits(): number {
    return this.list.reduce((sum, { bits }) => sum + bits, 0)
  }

  #add(key: string): TagColumn {
    const column = new TagColumn(key, this.list.length)
    const last = this.list.at(-1)
    if (last === undefined) this.first = column
    else last.next = column
    this.list.push(column)
    this.#byKey.set(key, column)
    this.stale = true
    return column
  }
}
