import { HttpError } from 'upkeep'

/**
 * Checks that a value can be stored and read without loss: it contains, at any depth, no U+0000, no lone surrogates,
 * and no numbers beyond the range of a double.
 *
 * @throws HttpError 400 that names the field and what is wrong with it.
 */
export function requireStorable(field: string, value: unknown): void {
  if (typeof value === 'string') requireStorableText(field, value)
  else if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new HttpError(400, `The field "${field}" is a number too large to be stored.`)
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) requireStorable(`${field}[${at}]`, each)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      requireStorableText(`a name in ${field}`, name)
      requireStorable(`${field}.${name.slice(0, 64)}`, each)
    }
  }
}

function requireStorableText(field: string, text: string): void {
  const nul = text.indexOf('\0')
  if (nul !== -1) throw new HttpError(400, `The field "${field}" holds U+0000 at ${nul}, which cannot be stored.`)
  // With the flag u, a surrogate matches only where it stands alone.
  const half = text.search(/\p{Surrogate}/u)
  if (half !== -1) throw new HttpError(400, `The field "${field}" holds half of a surrogate pair at ${half}.`)
}
