/** Verbs that a method already expresses. */
const crudVerbs: ReadonlySet<string> = new Set(
  'add create delete destroy edit fetch get insert modify patch put read remove retrieve save select update'.split(' '),
)

/** English plurals without an s, and nouns whose singular and plural are equal. */
const plurals: ReadonlySet<string> = new Set(
  'children criteria feet geese indices men mice people teeth women'.split(' '),
)
const either: ReadonlySet<string> = new Set(
  `analytics archives equipment data fish health information metadata media news scissors series sheep software species
  statistics status weather`.split(/\s+/),
)
const singularInS: RegExp = /(ss|us|is|[^aeiou]ics|^(atlas|bias|bus|canvas|chaos|gas|lens))$/

/** Splits a segment into words: `getAll`, `get_all`, `get-all`. */
function wordsOf(segment: string): readonly string[] {
  return segment
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** Returns the first word if a method already expresses it. */
export function crudVerbOf(segment: string): string | undefined {
  const [first = ''] = wordsOf(segment)
  return crudVerbs.has(first) ? first : undefined
}

/** Returns the number of the last noun of a segment, as far as its form shows. */
export function numberOf(segment: string): 'singular' | 'plural' | 'either' {
  const noun = wordsOf(segment).at(-1) ?? ''
  if (either.has(noun)) return 'either'
  if (plurals.has(noun)) return 'plural'
  return noun.endsWith('s') && !singularInS.test(noun) ? 'plural' : 'singular'
}

/** Whether a segment has the form of a noun and not of a verb. */
export function isNamedAsThing(segment: string): boolean {
  const [first = ''] = wordsOf(segment)
  return (
    /(tion|ment|ness|ance|ence|ity)s?$/.test(first) || (wordsOf(segment).length === 1 && numberOf(first) === 'plural')
  )
}
