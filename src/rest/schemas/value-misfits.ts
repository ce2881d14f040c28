type Keywords = Readonly<Record<string, unknown>>

export interface Misfit {
  readonly path: string
  readonly reason: string
}

const lowest = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
const highest = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']
const forms = ['pattern', 'format', 'multipleOf']

/** Returns why values of one schema do not satisfy the other: type, values, limits, format. */
export function valueMisfits(written: Keywords, read: Keywords, path: string): readonly Misfit[] {
  const reasons = [...typeMisfits(written, read), ...literalMisfits(written, read), ...limitMisfits(written, read)]
  return reasons.map((reason) => ({ path, reason }))
}

function typeMisfits({ type: written }: Keywords, { type: read }: Keywords): readonly string[] {
  if (read === undefined || written === read || (written === 'integer' && read === 'number')) return []
  return [written === undefined ? `may be anything, but must be ${read}` : `is ${written}, but must be ${read}`]
}

function literalMisfits(written: Keywords, read: Keywords): readonly string[] {
  const understood = literalsOf(read)
  if (understood === undefined) return []
  const possible = literalsOf(written)
  if (possible === undefined) return [`may be anything, but must be one of ${understood.join(', ')}`]
  const strange = possible.filter((value) => !understood.includes(value))
  return strange.length === 0 ? [] : [`may be ${strange.join(', ')}, but must be one of ${understood.join(', ')}`]
}

function literalsOf({ enum: values, const: value }: Keywords): readonly string[] | undefined {
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each))
  return value === undefined ? undefined : [JSON.stringify(value)]
}

function limitMisfits(written: Keywords, read: Keywords): readonly string[] {
  // Enumerated values are compared one by one; limits do not matter.
  if (literalsOf(written) !== undefined) return []
  const differs = (keyword: string, fits: (one: unknown, other: unknown) => boolean) => {
    const [one, other] = [written[keyword], read[keyword]]
    return other === undefined || fits(one, other) ? [] : [`${keyword} is ${one ?? 'open'}, but must be ${other}`]
  }
  return [
    ...lowest.flatMap((keyword) => differs(keyword, (one, other) => one !== undefined && Number(one) >= Number(other))),
    ...highest.flatMap((keyword) =>
      differs(keyword, (one, other) => one !== undefined && Number(one) <= Number(other)),
    ),
    ...forms.flatMap((keyword) => differs(keyword, (one, other) => one === other)),
  ]
}
