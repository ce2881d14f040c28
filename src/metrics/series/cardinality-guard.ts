import type { Diagnose } from '../diagnostic.ts'
import type { StoredMeter } from '../meter.ts'
import type { Family } from './family.ts'
import type { TagSet } from './tags.ts'

/** The value of a tag in the series that takes what does not fit. */
export const overflowValue = '_overflow'

const samples = 5
/** Characters of a value in the message. */
const longestSample = 80

/** Watches that no meter gets more series than it may. */
export class CardinalityGuard {
  readonly #maximum: number
  readonly #diagnose: Diagnose
  /** Is told the name of a meter each time that one of its series is refused. */
  readonly #refused: (name: string) => void
  readonly #warned = new Set<string>()

  /** @throws RangeError when the maximum is not a positive whole number or Infinity. */
  constructor(maximum: number, diagnose: Diagnose, refused: (name: string) => void) {
    if (!(maximum >= 1)) throw new RangeError(`maximumSeriesPerMeter must be 1 or more, not ${maximum}`)
    this.#maximum = maximum
    this.#diagnose = diagnose
    this.#refused = refused
  }

  /** Whether a family may have one more series; `overflows` says whether what it may not have goes to another one. */
  admits<M extends StoredMeter>(family: Family<M>, overflows: boolean): boolean {
    if (family.size < this.#maximum) return true
    if (!this.#warned.has(family.name)) {
      this.#warned.add(family.name)
      this.#warn(family, overflows)
    }
    this.#refused(family.name)
    return false
  }

  #warn<M extends StoredMeter>({ name, table }: Family<M>, overflows: boolean): void {
    const [most] = table.columns.cardinalities().sort((one, other) => other.values.length - one.values.length)
    if (most === undefined) return
    const sampleValues = most.values.slice(-samples)
    this.#diagnose({
      kind: 'series-limit',
      message:
        `The meter '${name}' has its maximum of ${this.#maximum} series; more of them ` +
        `${overflows ? `go to one with the tag value '${overflowValue}'` : 'are not read'}. ` +
        `The tag '${most.key}' has the most values (${most.values.length}), lately ${sampleValues.map(quote).join(', ')}`,
      meter: name,
      maximum: this.#maximum,
      tagKey: most.key,
      sampleValues,
    })
  }
}

/** What clients send can be of any length, and is told of. */
function quote(value: string): string {
  return JSON.stringify(value.length > longestSample ? `${value.slice(0, longestSample)}…` : value)
}

/** The tags of the series that takes what does not fit: those that are the same in all series stay, if any other is left. */
export function overflowTags<M extends StoredMeter>({ table }: Family<M>, { keys, texts }: TagSet): TagSet {
  const isCommon = keys.map((key, at) => {
    const column = table.columns.get(key)
    return column?.texts.length === 2 && column.texts[1] === texts[at]
  })
  const replacesAll = isCommon.every((common) => common)
  return { keys, texts: texts.map((text, at) => (isCommon[at] && !replacesAll ? text : overflowValue)) }
}
