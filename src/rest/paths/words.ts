/** Words that stand for what a method says already. */
const crudVerbs: ReadonlySet<string> = new Set(
  'add create delete destroy edit fetch get insert modify patch put read remove retrieve save select update'.split(' '),
)

/** English nouns that are plural without an s, or the same in singular and plural. */
const plurals: ReadonlySet<string> = new Set(
  'children criteria feet geese indices men mice people teeth women'.split(' '),
)
const either: ReadonlySet<string> = new Set(
  `analytics archives equipment data fish health information metadata media news scissors series sheep software species
  statistics status weather`.split(/\s+/),
)
const singularInS: RegExp = /(ss|us|is|[^aeiou]ics|^(atlas|bias|bus|canvas|chaos|gas|lens))$/

/** The words of a segment, however they are joined: `getAll`, `get_all`, `get-all`. */
export function wordsOf(segment: string): readonly string[] {
  return segment
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** The first word, where it is what a method says already. */
export function crudVerbOf(segment: string): string | undefined {
  const [first = ''] = wordsOf(segment)
  return crudVerbs.has(first) ? first : undefined
}

/** Whether the noun that a segment ends with is one or many, as far as its form tells. */
export function numberOf(segment: string): 'singular' | 'plural' | 'either' {
  const noun = wordsOf(segment).at(-1) ?? ''
  if (either.has(noun)) return 'either'
  if (plurals.has(noun)) return 'plural'
  return noun.endsWith('s') && !singularInS.test(noun) ? 'plural' : 'singular'
}

/** Whether a segment is named as things are and not as what is done. */
export function isNamedAsThing(segment: string): boolean {
  const [first = ''] = wordsOf(segment)
  return (
    /(tion|ment|ness|ance|ence|ity)s?$/.test(first) || (wordsOf(segment).length === 1 && numberOf(first) === 'plural')
  )
}
