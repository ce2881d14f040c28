import type { TagValue } from '../series/tags.ts'

const firstBits = 3

/** The values that one tag key has had in a table, each with a small code. */
export class TagColumn {
  readonly key: string
  readonly index: number
  /** By code. */
  texts: string[] = ['']
  /** What the code is multiplied with in a key. */
  weight = 0
  /** How far the code is shifted in a key, which is the same, as long as keys are exact. */
  shift = 0
  /** How many bits the codes have in a key, as long as keys are exact. */
  bits: number = firstBits
  /** How many codes fit into the bits. */
  capacity: number = 2 ** firstBits
  /** From 1; 0 is for rows without this tag. Besides the texts there are the numbers and booleans that were seen for them. */
  #codes: Map<TagValue, number> = new Map()
  /** The column made after this one, which is often the next that a caller names. */
  next: TagColumn | undefined = undefined

  constructor(key: string, index: number) {
    this.key = key
    this.index = index
  }

  /** The code of a value that has one. A few texts are compared in half the time that a map takes to find one. */
  find(value: TagValue): number | undefined {
    const texts = this.texts
    if (texts.length <= 5 && typeof value === 'string') {
      for (let code = 1; code < texts.length; code++) if (texts[code] === value) return code
    }
    return this.#codes.get(value)
  }

  /** The code of a text, a new one where it has none. */
  codeOf(text: string): number {
    const known = this.#codes.get(text)
    if (known !== undefined) return known
    const code = this.texts.length
    this.texts.push(text)
    this.#codes.set(text, code)
    return code
  }

  /** Lets a number or a boolean be found by itself where its text has a code. */
  alias(value: TagValue, text: string): void {
    if (value === text) return
    const code = this.#codes.get(text)
    if (code !== undefined) this.#codes.set(value, code)
  }

  /** Takes as many bits as the codes need, and `spare` more when they are not enough. */
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
