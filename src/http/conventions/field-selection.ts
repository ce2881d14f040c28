import { HttpError } from '../../errors/http-error.ts'

/** The fields that a client wants: each whole, or with a selection of its own. */
export interface FieldSelection {
  readonly [name: string]: FieldSelection | 'whole'
}

const deepest = 32

/**
 * Reads `status,components(db(status))`; several `fields` parameters add up.
 *
 * @throws HttpError 400 naming `fields` when the grammar is broken.
 */
export function parseFieldSelection(query: URLSearchParams): FieldSelection | undefined {
  const texts = query.getAll('fields')
  if (texts.length === 0) return undefined
  const tokens = texts.join(',').match(/[(),]|[^(),]+/g) ?? []
  const { selection, next } = readSelection(tokens, 0, 0)
  if (next < tokens.length) throw malformed(`unexpected ${JSON.stringify(tokens[next])}`)
  return selection
}

function readSelection(tokens: readonly string[], start: number, depth: number) {
  if (depth > deepest) throw malformed(`it nests deeper than ${deepest}`)
  const entries: [string, FieldSelection | 'whole'][] = []
  let at = start
  do {
    const name = tokens[at]?.trim() ?? ''
    if (name === '' || /^[(),]$/.test(name)) throw malformed('a name is missing')
    at++
    if (tokens[at] === '(') {
      const inner = readSelection(tokens, at + 1, depth + 1)
      if (tokens[inner.next] !== ')') throw malformed('a closing parenthesis is missing')
      entries.push([name, inner.selection])
      at = inner.next + 1
    } else {
      entries.push([name, 'whole'])
    }
  } while (tokens[at] === ',' && ++at)
  const selection: FieldSelection = Object.fromEntries(entries)
  return { selection, next: at }
}

function malformed(reason: string): HttpError {
  return new HttpError(
    400,
    `The query parameter fields must be a list of names such as status,components(db(status)): ${reason}.`,
  )
}

/** The part of a JSON value that was selected; a selection applies to each item of an array, and to no scalar. */
export function selectFields(value: unknown, selection: FieldSelection): unknown {
  if (Array.isArray(value)) return value.map((item) => selectFields(item, selection))
  if (typeof value !== 'object' || value === null) return value
  const record = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.keys(record).flatMap((name) => {
      const wanted = Object.hasOwn(selection, name) ? selection[name] : undefined
      if (wanted === undefined) return []
      return [[name, wanted === 'whole' ? record[name] : selectFields(record[name], wanted)]]
    }),
  )
}
