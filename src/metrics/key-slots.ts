import type { CodeRows } from './code-rows.ts'

const free = -1
const left = -2
const golden = 0x9e3779b1 | 0
const greatestLoad = 0.8

/** Entries by key, a non-negative integer: open addressing over two typed arrays. One key may have several rows. */
export class KeySlots<V> {
  /** By row. */
  readonly entries: (V | undefined)[]
  readonly #keys: Int32Array
  readonly #rows: Int32Array
  readonly #shift: number
  #used = 0

  constructor(entries: (V | undefined)[], expectedRows: number) {
    const bits = Math.max(2, Math.ceil(Math.log2((expectedRows + 1) / greatestLoad)))
    this.entries = entries
    this.#keys = new Int32Array(2 ** bits).fill(free)
    this.#rows = new Int32Array(2 ** bits)
    this.#shift = 32 - bits
  }

  /** Whether another row can be inserted. */
  get hasRoom(): boolean {
    return this.#used + 1 <= this.#keys.length * greatestLoad
  }

  /** The first entry of a key. */
  at(key: number): V | undefined {
    const keys = this.#keys
    let slot = Math.imul(key, golden) >>> this.#shift
    for (;;) {
      const found = keys[slot]
      if (found === key) return this.entries[this.#rows[slot] as number]
      if (found === free) return undefined
      slot = (slot + 1) & (keys.length - 1)
    }
  }

  /** The first row of a key whose codes are these, or -1. */
  rowOf(key: number, rows: CodeRows, codes: Int32Array): number {
    const keys = this.#keys
    let slot = Math.imul(key, golden) >>> this.#shift
    for (;;) {
      const found = keys[slot]
      if (found === free) return -1
      const row = this.#rows[slot] as number
      if (found === key && rows.equals(row, codes)) return row
      slot = (slot + 1) & (keys.length - 1)
    }
  }

  insert(key: number, row: number): void {
    const keys = this.#keys
    let slot = Math.imul(key, golden) >>> this.#shift
    while (keys[slot] !== free) slot = (slot + 1) & (keys.length - 1)
    keys[slot] = key
    this.#rows[slot] = row
    this.#used += 1
  }

  remove(key: number, row: number): void {
    const keys = this.#keys
    let slot = Math.imul(key, golden) >>> this.#shift
    while (keys[slot] !== key || this.#rows[slot] !== row) slot = (slot + 1) & (keys.length - 1)
    keys[slot] = left
  }
}
