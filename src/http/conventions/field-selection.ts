import { HttpError } from '../errors/http-error.ts'

/** The requested fields by name: each complete, or with a selection of its own. */
export type FieldSelection = ReadonlyMap<string, FieldSelection | 'whole'>

type GrowingSelection = Map<string, GrowingSelection | 'whole'>

const maxDepth = 32

/**
 * Parses `status,components(db(status))`. Several `fields` parameters, and repeated names, are merged.
 *
 * @throws HttpError 400 naming `fields` for invalid syntax.
 */
export function parseFieldSelection(query: URLSearchParams): FieldSelection | undefined {
  const texts = query.getAll('fields')
  if (texts.length === 0) return undefined
  const pieces = texts.join(',').split(/([(),])/)
  const tokens = pieces.map((piece) => piece.trim()).filter((piece) => piece !== '')
  const selection: GrowingSelection = new Map()
  const end = readSelection(tokens, 0, 0, selection)
  if (end < tokens.length) throw malformed(`unexpected ${JSON.stringify(tokens[end]?.slice(0, 64))}`)
  return selection
}

/** Adds the fields that start at token `start` to a selection, and returns the index after them. */
function readSelection(tokens: readonly string[], start: number, depth: number, selection: GrowingSelection): number {
  if (depth > maxDepth) throw malformed(`it nests deeper than ${maxDepth}`)
  let at = start
  do {
    const name = tokens[at]
    if (name === undefined || /^[(),]$/.test(name)) throw malformed('a name is missing')
    at++
    if (tokens[at] === '(') {
      const known = selection.get(name)
      const inner: GrowingSelection = typeof known === 'object' ? known : new Map()
      at = readSelection(tokens, at + 1, depth + 1, inner)
      if (tokens[at] !== ')') throw malformed('a closing parenthesis is missing')
      if (known === undefined) selection.set(name, inner)
      at++
    } else {
      selection.set(name, 'whole')
    }
  } while (tokens[at] === ',' && ++at)
  return at
}

function malformed(reason: string): HttpError {
  return new HttpError(
    400,
    `The query parameter fields must be a list of names such as status,components(db(status)): ${reason}.`,
  )
}

/**
 * Returns the selected part of a JSON value. A selection applies to each item of an array, and does not apply to
 * scalars.
 */
export function selectFields(value: unknown, selection: FieldSelection): unknown {
  if (Array.isArray(value)) return value.map((item) => selectFields(item, selection))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      const wanted = selection.get(name)
      if (wanted === undefined) return []
      return [[name, wanted === 'whole' ? inner : selectFields(inner, wanted)]]
    }),
  )
}
