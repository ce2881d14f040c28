import type { CodeRows } from './code-rows.ts'

const maxLoad = 0.8

// Numbers that every look-up uses are literals: bundlers turn a module's `const` into `var`, which V8 cannot treat as
// constant.

/**
 * Entries by key, a non-negative integer. A hash table with open addressing in two typed arrays: the key -1 marks a
 * slot that was never used, -2 one whose row was removed. One key may have several rows.
 */
export class KeySlots<V> {
  /** By row. */
  readonly entries: (V | undefined)[]
  readonly #keys: Int32Array
  readonly #rows: Int32Array
  readonly #shift: number
  #used = 0

  constructor(entries: (V | undefined)[], expectedRows: number) {
    const bits = Math.max(2, Math.ceil(Math.log2((expectedRows + 1) / maxLoad)))
    this.entries = entries
    this.#keys = new Int32Array(2 ** bits).fill(-1)
    this.#rows = new Int32Array(2 ** bits)
    this.#shift = 32 - bits
  }

  /** Whether another row can be inserted. */
  get hasRoom(): boolean {
    return this.#used + 1 <= this.#keys.length * maxLoad
  }

  /** Returns the first entry of a key. */
  at(key: number): V | undefined {
    const keys = this.#keys
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift
    for (;;) {
      const found = keys[slot]
      if (found === key) return this.entries[this.#rows[slot] as number]
      if (found === -1) return undefined
      slot = (slot + 1) & (keys.length - 1)
    }
  }

  /** Returns the first row of a key that has these codes, or -1. */
  rowOf(key: number, rows: CodeRows, codes: Int32Array, width: number): number {
    const keys = this.#keys
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift
    for (;;) {
      const found = keys[slot]
      if (found === -1) return -1
      const row = this.#rows[slot] as number
      if (found === key && rows.equals(row, codes, width)) return row
      slot = (slot + 1) & (keys.length - 1)
    }
  }

  /** Returns a copy with about twice the capacity. */
  enlarged(): KeySlots<V> {
    const larger = new KeySlots<V>(this.entries, this.#used + (this.#used >> 1))
    this.#keys.forEach((key, slot) => {
      if (key >= 0) larger.insert(key, this.#rows[slot] as number)
    })
    return larger
  }

  insert(key: number, row: number): void {
    const keys = this.#keys
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift
    while (keys[slot] !== -1) slot = (slot + 1) & (keys.length - 1)
    keys[slot] = key
    this.#rows[slot] = row
    this.#used += 1
  }

  remove(key: number, row: number): void {
    const keys = this.#keys
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift
    while (keys[slot] !== key || this.#rows[slot] !== row) slot = (slot + 1) & (keys.length - 1)
    keys[slot] = -2
  }
}
