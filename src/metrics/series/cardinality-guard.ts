import { optionOutOfRange } from '../../base/errors.ts'
import type { Diagnose } from '../diagnostic.ts'
import type { StoredMeter } from '../meter.ts'
import type { Family } from './family.ts'
import type { TagSet } from './tags.ts'

/** The tag value of the series that measurements beyond the maximum are recorded into. */
const overflowValue = '_overflow'

const maxSamples = 5
/** Characters of a value in the message: values from clients can be of any length. */
const maxSampleLength = 80

/** Limits the number of series per meter. */
export class CardinalityGuard {
  readonly #maximum: number
  readonly #diagnose: Diagnose
  /** Called with the name of a meter each time one of its series is refused. */
  readonly #refused: (name: string) => void
  readonly #warned = new Set<string>()

  /** @throws RangeError if the maximum is less than 1. */
  constructor(maximum: number, diagnose: Diagnose, refused: (name: string) => void) {
    if (!(maximum >= 1)) throw optionOutOfRange(`maximumSeriesPerMeter: expected 1 or more, received ${maximum}`)
    this.#maximum = maximum
    this.#diagnose = diagnose
    this.#refused = refused
  }

  /** Whether a family may have one more series; `overflows`: whether further ones are recorded into another series. */
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
    const sampleValues = most.values.slice(-maxSamples)
    this.#diagnose({
      kind: 'series-limit',
      message:
        `The meter '${name}' has reached its maximum of ${this.#maximum} series; further ones are ` +
        `${overflows ? `recorded with the tag value '${overflowValue}'` : 'not read'}. ` +
        `The tag '${most.key}' has the most values (${most.values.length}), ` +
        `recently ${sampleValues.map(quote).join(', ')}`,
      meter: name,
      maximum: this.#maximum,
      tagKey: most.key,
      sampleValues,
    })
  }
}

function quote(value: string): string {
  return JSON.stringify(value.length > maxSampleLength ? `${value.slice(0, maxSampleLength)}…` : value)
}

/**
 * Returns the tags of the overflow series. A tag with the same value in all series keeps it, unless all of them do.
 */
export function overflowTags<M extends StoredMeter>({ table }: Family<M>, { keys, texts }: TagSet): TagSet {
  const isCommon = keys.map((key, at) => {
    const column = table.columns.get(key)
    return column?.texts.length === 2 && column.texts[1] === texts[at]
  })
  const replacesAll = isCommon.every((common) => common)
  return { keys, texts: texts.map((text, at) => (isCommon[at] && !replacesAll ? text : overflowValue)) }
}
