/**
 * Names that other libraries have for options, each with its meaning here: an option of the same object, such as `url`
 * or `application.name`, or several words of advice, such as `call listen(management, { port })`.
 */
export type ForeignNames = Readonly<Record<string, string>>

/**
 * Describes an option that does not exist, with what to write instead: the meaning of a foreign name, the most similar
 * option, or else all options of the object.
 */
export function describeUnknownOption(
  path: readonly string[],
  known: readonly string[],
  foreignNames: ForeignNames = {},
): string {
  const name = path.at(-1) ?? ''
  const meaning = meaningOf(name, foreignNames) ?? mostSimilar(name, known)
  return `unknown option "${formatPath(path)}"${adviceOf(meaning, path.slice(0, -1), known)}`
}

/** Formats the path of an option, such as `servers[0].host`. */
export function formatPath(path: readonly string[]): string {
  return path.map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}

function meaningOf(name: string, foreignNames: ForeignNames): string | undefined {
  return Object.entries(foreignNames).find(([foreign]) => normalize(foreign) === normalize(name))?.[1]
}

function adviceOf(meaning: string | undefined, parent: readonly string[], known: readonly string[]): string {
  if (meaning?.includes(' ')) return `; ${meaning}`
  if (meaning !== undefined) return `; did you mean "${formatPath([...parent, meaning])}"?`
  return known.length === 0 ? '' : `; expected ${known.join(', ')}`
}

/** Names with more differences than this are not suggested. */
const maxDistance = 2

function mostSimilar(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => [each, editDistance(normalize(name), normalize(each))] as const)
    .filter(([each, distance]) => distance <= maxDistance && distance <= each.length / 2)
  return ranked.sort(([, a], [, b]) => a - b)[0]?.[0]
}

/** Variables and properties files write `base-path` or `BASE_PATH` for `basePath`. */
function normalize(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

/** Returns the Levenshtein distance: how many letters have to be inserted, deleted or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
