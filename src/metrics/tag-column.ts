import type { TagValue } from './tags.ts'

/** The values that one tag key has had in a table, each with a small code. */
export class TagColumn {
  readonly key: string
  readonly index: number
  /** From 1; 0 is for rows without this tag. Besides the texts there are the numbers and booleans that were seen for them. */
  codes: Map<TagValue, number> = new Map()
  /** By code. */
  texts: string[] = ['']
  /** What the code is multiplied with in a key. */
  weight = 0
  /** How many bits the codes have in a key, as long as keys are exact. */
  bits = 3
  /** The column made after this one, which is often the next that a caller names. */
  next: TagColumn | undefined = undefined

  constructor(key: string, index: number) {
    this.key = key
    this.index = index
  }

  /** The code of a text, a new one where it has none. */
  codeOf(text: string): number {
    const known = this.codes.get(text)
    if (known !== undefined) return known
    const code = this.texts.length
    this.texts.push(text)
    this.codes.set(text, code)
    return code
  }

  /** Lets a number or a boolean be found by itself where its text has a code. */
  alias(value: TagValue, text: string): void {
    if (value === text) return
    const code = this.codes.get(text)
    if (code !== undefined) this.codes.set(value, code)
  }

  /** Whether the codes no longer fit into the bits. */
  get isCrowded(): boolean {
    return this.texts.length > 2 ** this.bits
  }

  forget(): void {
    this.codes = new Map()
    this.texts = ['']
    this.bits = 3
  }
}
