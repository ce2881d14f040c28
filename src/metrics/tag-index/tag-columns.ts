import type { TagValue } from '../series/tags.ts'
import type { CodeRows } from './code-rows.ts'

const exactBits = 30
const firstBits = 3
const spareBits = 3

/** The columns of a table, and how the codes of a row become its key: the sum of code times weight. */
export class TagColumns {
  readonly list: TagColumn[] = []
  /** The same columns in the order of their keys, by UTF-16 code units. */
  sorted: readonly TagColumn[] = []
  first: TagColumn | undefined = undefined
  /**
   * Whether every column has its own bits in a key, so that different tags have different keys. If not, a key is a
   * hash.
   */
  isExact = true
  /**
   * Whether columns or codes were added that the weights do not allow for: `weigh` must be called before a key is
   * computed.
   */
  isStale = false

  readonly #byKey = new Map<string, TagColumn>()

  get(key: string): TagColumn | undefined {
    return this.#byKey.get(key)
  }

  /** Returns the column of a tag key, which is created if it does not exist. */
  of(key: string): TagColumn {
    return this.#byKey.get(key) ?? this.#add(key)
  }

  /**
   * Gives every column its bits in a key, or an odd factor if 30 bits are too few for all. Existing keys become
   * invalid.
   */
  weigh(): void {
    this.isStale = false
    for (const column of this.list) column.widen(spareBits)
    if (this.#bits() > exactBits) for (const column of this.list) column.narrow()
    this.isExact = this.#bits() <= exactBits
    let shift = 0
    for (const column of this.list) {
      column.shift = shift
      column.weight = this.isExact ? 1 << shift : Math.imul(0x9e3779b1, 2 * column.index + 1)
      shift += column.bits
    }
  }

  /** Returns the key of some codes, given by column. */
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

  /** Returns the values that each tag key has had. */
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
    this.sorted = [...this.list].sort((one, other) => (one.key < other.key ? -1 : 1))
    this.#byKey.set(key, column)
    this.isStale = true
    return column
  }
}

/** The values that one tag key has had in a table, each with a small code. */
export class TagColumn {
  readonly key: string
  readonly index: number
  /** By code; the code 0 is that of rows without this tag. */
  texts: string[] = ['']
  /** The factor of the code in a key. */
  weight = 0
  /** The position of the code's bits in a key, while keys are exact; the weight is then `1 << shift`. */
  shift = 0
  /** The number of bits of the code in a key, while keys are exact. */
  bits: number = firstBits
  /** The number of codes that fit into the bits. */
  capacity: number = 2 ** firstBits
  /** By value, from 1: the strings, and numbers and booleans that were passed for them. */
  #codes: Map<TagValue, number> = new Map()
  /** The column that was created after this one: callers mostly list tags in the same order, so it is tried first. */
  next: TagColumn | undefined = undefined

  constructor(key: string, index: number) {
    this.key = key
    this.index = index
  }

  /**
   * Returns the code of a value, if it has one. A few strings are compared in half the time that a map look-up takes.
   */
  find(value: TagValue): number | undefined {
    const texts = this.texts
    if (texts.length <= 5 && typeof value === 'string') {
      for (let code = 1; code < texts.length; code++) if (texts[code] === value) return code
    }
    return this.#codes.get(value)
  }

  /** Returns the code of a string; a new one if it has none. */
  codeOf(text: string): number {
    const known = this.#codes.get(text)
    if (known !== undefined) return known
    const code = this.texts.length
    this.texts.push(text)
    this.#codes.set(text, code)
    return code
  }

  /** Makes `find` return the code of a string for the number or boolean that was converted to it. */
  alias(value: TagValue, text: string): void {
    if (value === text) return
    const code = this.#codes.get(text)
    if (code !== undefined) this.#codes.set(value, code)
  }

  /** If the codes no longer fit into the bits: takes as many bits as they need, and `spare` more. */
  widen(spare: number): void {
    if (this.texts.length > this.capacity) this.#take(Math.ceil(Math.log2(this.texts.length)) + spare)
  }

  /** Takes as few bits as the codes need. */
  narrow(): void {
    this.#take(Math.ceil(Math.log2(this.texts.length)))
  }

  forget(): void {
    this.#codes = new Map()
    this.texts = ['']
    this.#take(firstBits)
  }

  #take(bits: number): void {
    this.bits = bits
    this.capacity = 2 ** bits
  }
}
