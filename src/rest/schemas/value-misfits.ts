type Keywords = Readonly<Record<string, unknown>>

export interface Misfit {
  readonly path: string
  readonly reason: string
}

const lowest = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
const highest = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']
const forms = ['pattern', 'format', 'multipleOf']

/** What of a value itself may be written and cannot be read: its type, its values, its limits, its form. */
export function valueMisfits(written: Keywords, read: Keywords, path: string): readonly Misfit[] {
  const reasons = [...typeMisfits(written, read), ...literalMisfits(written, read), ...limitMisfits(written, read)]
  return reasons.map((reason) => ({ path, reason }))
}

function typeMisfits({ type: written }: Keywords, { type: read }: Keywords): readonly string[] {
  if (read === undefined || written === read || (written === 'integer' && read === 'number')) return []
  return [written === undefined ? `may be anything, and must be ${read}` : `is ${written}, and must be ${read}`]
}

function literalMisfits(written: Keywords, read: Keywords): readonly string[] {
  const understood = literalsOf(read)
  if (understood === undefined) return []
  const possible = literalsOf(written)
  if (possible === undefined) return [`may be anything, and must be one of ${understood.join(', ')}`]
  const strange = possible.filter((value) => !understood.includes(value))
  return strange.length === 0 ? [] : [`may be ${strange.join(', ')}, and must be one of ${understood.join(', ')}`]
}

function literalsOf({ enum: values, const: value }: Keywords): readonly string[] | undefined {
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each))
  return value === undefined ? undefined : [JSON.stringify(value)]
}

function limitMisfits(written: Keywords, read: Keywords): readonly string[] {
  // A value that is one of a list keeps to what the list keeps to.
  if (literalsOf(written) !== undefined) return []
  const differs = (keyword: string, fits: (one: unknown, other: unknown) => boolean) => {
    const [one, other] = [written[keyword], read[keyword]]
    return other === undefined || fits(one, other) ? [] : [`${keyword} is ${one ?? 'open'}, and must be ${other}`]
  }
  return [
    ...lowest.flatMap((keyword) => differs(keyword, (one, other) => one !== undefined && Number(one) >= Number(other))),
    ...highest.flatMap((keyword) =>
      differs(keyword, (one, other) => one !== undefined && Number(one) <= Number(other)),
    ),
    ...forms.flatMap((keyword) => differs(keyword, (one, other) => one === other)),
  ]
}
